import type { UserView } from "@telex/core";
import { useMemo } from "preact/hooks";
import { useApp } from "../context.ts";
import { adminPath } from "../route.ts";
import { useOperator } from "./context.ts";
import { DialogForm, type FormEntry, Opens, textOr } from "./form.tsx";
import { ListHead, PagedList } from "./list.tsx";
import { createPages, type Pages } from "./pages.ts";
import { Portrait } from "./portrait.tsx";
import { type AdminTexts, useAdminTexts } from "./texts.ts";

const pageSize = 200;

type UserEntry = "nickname" | "ext" | "phone" | "ai";

/** What can be said about a user. */
export const userEntries = ({ users }: AdminTexts): readonly FormEntry<UserEntry>[] => [
  { kind: "text", name: "nickname", label: users.nickname, input: { maxlength: 128 } },
  { kind: "text", name: "ext", label: users.ext, hint: users.extHint, optional: true, input: { maxlength: 128 } },
  { kind: "text", name: "phone", label: users.phone, optional: true, input: { maxlength: 64 } },
  { kind: "text", name: "ai", label: users.ai, hint: users.aiHint, optional: true, input: { maxlength: 256 } },
];

/** All users by their ids. Owns what is known of them. */
export function useUsers(): Pages<UserView> {
  const { users } = useOperator();
  return useMemo(
    () => createPages<UserView>((last) => users.list({ limit: pageSize, ...(last && { after: last.id }) }), pageSize),
    [users],
  );
}

/** What a filter finds a user by. */
export const wordsOfUser = ({ id, nickname, ext, phone, ai }: UserView): string =>
  [id, nickname, ext, phone, ai].join(" ");

/** What distinguishes a user from others with the same name. */
export const aboutUser = ({ id, ext, ai }: UserView, texts: AdminTexts): string =>
  [texts.number(id), ...[ext, ai].filter((word) => word !== null)].join(" · ");

function AddUser({ onClose }: { readonly onClose: () => void }) {
  const { users } = useOperator();
  const { notices, router } = useApp();
  const texts = useAdminTexts();
  const add = async (read: (name: UserEntry) => string): Promise<void> => {
    const [ext, phone, ai] = [textOr(read("ext"), null), textOr(read("phone"), null), textOr(read("ai"), null)];
    const given = { ...(ext !== null && { ext }), ...(phone !== null && { phone }), ...(ai !== null && { ai }) };
    const added = await users.add({ nickname: read("nickname").trim(), ...given });
    notices.say(texts.users.added(added.nickname));
    onClose();
    router.go(adminPath("users", added.id));
  };
  return (
    <DialogForm
      title={texts.users.add}
      entries={userEntries(texts)}
      submit={texts.users.add}
      onSubmit={add}
      onClose={onClose}
    />
  );
}

function UserRow({ user }: { readonly user: UserView }) {
  const texts = useAdminTexts();
  return (
    <a class="row" href={adminPath("users", user.id)}>
      <Portrait kind="personal" id={user.id} avatar={user.avatar} size={40} />
      <span class="name" dir="auto">
        {user.nickname}
      </span>
      <span class="hint">{aboutUser(user, texts)}</span>
    </a>
  );
}

/** All users, and how one is added. */
export function UserList() {
  const texts = useAdminTexts();
  const pages = useUsers();
  return (
    <section>
      <ListHead title={texts.sections.users}>
        <Opens label={texts.users.add} look="primary">
          {(close) => <AddUser onClose={close} />}
        </Opens>
      </ListHead>
      <PagedList
        pages={pages}
        wordsOf={wordsOfUser}
        label={texts.sections.users}
        keyOf={({ id }) => id}
        row={(user) => <UserRow user={user} />}
      />
    </section>
  );
}
