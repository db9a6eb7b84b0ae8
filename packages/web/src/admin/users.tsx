import type { UserView } from "@telex/core";
import { useState } from "preact/hooks";
import { useApp } from "../app/context.ts";
import { adminPath } from "../app/route.ts";
import { useOperator } from "./parts/context.ts";
import { type FormEntries, givenOf, type Read } from "../ui/actions/form.tsx";
import { DialogForm, Opens } from "../ui/actions/dialog-form.tsx";
import { ListHead, PagedList } from "./parts/list.tsx";
import { type Pages, usePages } from "./parts/pages.ts";
import { Invitations, Invite, useInvitations } from "./invitations.tsx";
import { Check } from "../ui/forms/check.tsx";
import { createLazy } from "../ui/panes/lazy.tsx";
import { SubjectRow } from "./subject.tsx";
import { useAdminTexts } from "./texts/texts.ts";
import type { AdminTexts } from "./texts/type.ts";

const pageSize = 200;

/** The fields of a user that can be changed. */
export type UserEntry = "nickname" | "ext" | "phone" | "ai";

export const userEntries = ({ users }: AdminTexts): FormEntries<UserEntry> => ({
  nickname: { label: users.nickname, input: { maxlength: 128 } },
  ext: { label: users.ext, hint: users.extHint, optional: true, input: { maxlength: 128 } },
  phone: { label: users.phone, optional: true, input: { maxlength: 64 } },
  ai: { label: users.ai, hint: users.aiHint, optional: true, input: { maxlength: 256 } },
});

/** All users by ID. Owns the loaded ones. */
export function useUsers(): Pages<UserView> {
  const { users } = useOperator();
  return usePages(users.list, pageSize, ({ id }: UserView) => id);
}

/** The text of a user that a filter searches. */
export const wordsOfUser = ({ id, nickname, ext, phone, ai }: UserView): string =>
  [id, nickname, ext, phone, ai].join(" ");

/** Distinguishes a user from others with the same name. */
export const aboutUser = ({ id, ext, ai }: UserView, texts: AdminTexts): string =>
  [texts.number(id), ...[ext, ai].filter((word) => word !== null)].join(" · ");

function AddUser({ onClose }: { readonly onClose: () => void }) {
  const { users } = useOperator();
  const { router } = useApp();
  const texts = useAdminTexts();
  const add = async (read: Read<UserEntry>): Promise<string> => {
    const fields = givenOf(read, ["ext", "phone", "ai"]);
    const { id, nickname } = await users.add({ nickname: read("nickname").trim(), ...fields });
    router.go(adminPath("users", id));
    return texts.users.added(nickname);
  };
  const form = { title: texts.users.add, submit: texts.users.add, onSubmit: add, onClose };
  return <DialogForm entries={userEntries(texts)} {...form} />;
}

function UserRow({ user }: { readonly user: UserView }) {
  const texts = useAdminTexts();
  const { id, nickname, avatar } = user;
  const facts = aboutUser(user, texts);
  const about = user.state === "suspended" ? `${facts} · ${texts.suspended}` : facts;
  return <SubjectRow {...{ id, avatar, about }} kind="personal" name={nickname} href={adminPath("users", id)} />;
}

function AddUserButton({ look }: { readonly look: "" | "primary" }) {
  const { add } = useAdminTexts().users;
  return (
    <Opens label={add} look={look}>
      {(close) => <AddUser onClose={close} />}
    </Opens>
  );
}

const ImportDialog = createLazy(async () => (await import("./people/import.tsx")).ImportDialog);

function ImportButton({ onDone }: { readonly onDone: () => void }) {
  const { importMany } = useAdminTexts().users;
  return <Opens label={importMany}>{(close) => <ImportDialog onClose={close} onDone={onDone} />}</Opens>;
}

/** All users, with invitations and a form to add a user without an account. */
export function UserList() {
  const texts = useAdminTexts();
  const [onlySuspended, setOnlySuspended] = useState(false);
  const pages = useUsers();
  const isListed = ({ state }: UserView): boolean => !onlySuspended || state === "suspended";
  const list = { pages, wordsOf: wordsOfUser, isListed, label: texts.sections.users };
  const invitations = useInvitations();
  return (
    <section>
      <ListHead title={texts.sections.users}>
        {invitations.value && <Invite onMade={invitations.load} />}
        {invitations.value && <ImportButton onDone={() => void pages.load()} />}
        <AddUserButton look={invitations.value ? "" : "primary"} />
      </ListHead>
      <Invitations from={invitations} />
      <Check checked={onlySuspended} onChecked={setOnlySuspended}>
        {texts.onlySuspended}
      </Check>
      <PagedList {...list} row={(user) => <UserRow key={user.id} user={user} />} />
    </section>
  );
}
