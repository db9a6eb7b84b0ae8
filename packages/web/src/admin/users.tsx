import type { AccountSummary } from "@telex/auth-server/client";
import type { UserView } from "@telex/core";
import { useMemo, useState } from "preact/hooks";
import { useApp } from "../app/context.ts";
import { adminPath } from "../app/route.ts";
import { useAccounts, useOperator } from "./parts/context.ts";
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

interface UserPage {
  readonly limit: number;
  readonly after?: number;
}

/** A user with their account. */
interface ListedUser extends UserView {
  /** Null for a user without an account. */
  readonly account: AccountSummary | null;
}

/** All users by ID. Owns the loaded ones. */
export function useUsers(): Pages<ListedUser> {
  const { users } = useOperator();
  const accounts = useAccounts();
  const list = useMemo(() => {
    // Each page of accounts reaches at least as far as the page of users: not every user has one. Servers without accounts refuse it.
    const summaries = (page: UserPage) => accounts.accounts(page).catch(() => []);
    return async (page: UserPage): Promise<readonly ListedUser[]> => {
      const [listed, found] = await Promise.all([users.list(page), summaries(page)]);
      const byId = new Map(found.map((account) => [account.id, account]));
      return listed.map((user) => ({ ...user, account: byId.get(user.id) ?? null }));
    };
  }, [users, accounts]);
  return usePages(list, pageSize, ({ id }) => id);
}

/** The text of a user that a filter searches. */
export const wordsOfUser = ({ id, nickname, ext, phone, ai, account }: ListedUser): string =>
  [id, nickname, ext, phone, ai, account?.username].join(" ");

/** Distinguishes a user from others with the same name. */
export function aboutUser(
  { id, ext, ai, account = null }: UserView & Partial<Pick<ListedUser, "account">>,
  texts: AdminTexts,
): string {
  const role = account?.role === "admin" ? texts.account.admin : null;
  const words = [account?.username ?? null, role, ext, ai].filter((word) => word !== null);
  return [texts.number(id), ...words].join(" · ");
}

/** Distinguishes a user from others, and says if the user is suspended. */
export const aboutWithState = (user: Parameters<typeof aboutUser>[0], texts: AdminTexts): string =>
  [aboutUser(user, texts), ...(user.state === "suspended" ? [texts.suspended] : [])].join(" · ");

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

function UserRow({ user }: { readonly user: ListedUser }) {
  const texts = useAdminTexts();
  const { id, nickname, avatar } = user;
  const about = aboutWithState(user, texts);
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
  const isListed = ({ state }: ListedUser): boolean => !onlySuspended || state === "suspended";
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
