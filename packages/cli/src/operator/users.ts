import type { UserView } from "@telex/core";
import type { OperatorClient } from "@telex/http/client";
import type { Command } from "commander";
import { talkOf } from "../options/command.ts";
import { confirm } from "../options/confirm.ts";
import { UsageError } from "../errors/errors.ts";
import { printable } from "../terminal/output.ts";
import { operate } from "./operate.ts";
import type { OperatorTarget } from "./operate.ts";
import { changeWithPicture, openPicture } from "./picture.ts";
import { show, warnOfModel, type Added, showAdded, showList } from "./user-views.ts";

/** The user that `telex user add` adds. */
export interface UserAdd {
  readonly nickname: string;
  readonly ext: string | undefined;
  readonly phone: string | undefined;
  readonly ai: string | undefined;
  /** Print also a token with the scope `chat`. */
  readonly issueToken: boolean;
}

const onlyOnStorage =
  "--issue-token works on the storage only: a token with the scope chat cannot be issued for another user over the network.";

/** `telex user add` */
export async function addUser(command: Command, { issueToken, ...user }: UserAdd): Promise<void> {
  const add = async ({ users, tokens }: OperatorClient, target: OperatorTarget): Promise<Added> => {
    if (issueToken && target.isRemote) throw new UsageError(onlyOnStorage);
    const added = await users.add(user);
    warnOfModel(command, target, added);
    if (!issueToken) return added;
    return { ...added, token: (await tokens.issue({ userId: added.id, scopes: ["chat"] })).token };
  };
  await operate(command, add, (added) => showAdded(added, talkOf(command)), "add");
}

/** `telex user list` */
export async function listUsers(command: Command, page: { after?: string; limit: number }): Promise<void> {
  await operate(command, async ({ users }) => await users.list(page), showList);
}

/** `telex user show` */
export async function showUser(command: Command, id: string): Promise<void> {
  await operate(command, async ({ users }) => await users.show({ id }), show);
}

/** The changes of `telex user set`. Undefined fields stay as they are; an empty text removes a value. */
export interface UserSet {
  readonly id: string;
  readonly nickname: string | undefined;
  readonly ext: string | undefined;
  readonly phone: string | undefined;
  readonly avatar: string | undefined;
  readonly ai: string | undefined;
  readonly oneBot: OneBotSet;
}

/** The settings of `telex user set` for programs that speak OneBot. */
export interface OneBotSet {
  readonly isOn: boolean | undefined;
  readonly connect: string | undefined;
  readonly secret: string | undefined;
  readonly protocol: 11 | 12 | undefined;
  readonly self: boolean | undefined;
}

const oneBotFields = ({ connect, secret, protocol, self }: OneBotSet) => ({
  ...(connect !== undefined && { connect: connect || null }),
  ...(secret !== undefined && { secret: secret || null }),
  ...(protocol !== undefined && { protocol }),
  ...(self !== undefined && { self }),
});

/** The change of the field: undefined for no change, null to turn OneBot off for the user. */
function oneBotChange(options: OneBotSet) {
  const change = oneBotFields(options);
  const isEmpty = Object.keys(change).length === 0;
  if (options.isOn === false && !isEmpty) throw new UsageError("--onebot off takes no other --onebot-... options.");
  if (options.isOn === false) return null;
  return options.isOn === undefined && isEmpty ? undefined : change;
}

/** The changes without the picture. */
const changeOf = ({ nickname, ext, phone, ai, avatar }: UserSet, oneBot: ReturnType<typeof oneBotChange>) => ({
  ...defined({ ext, phone, ai }),
  ...(nickname !== undefined && { nickname }),
  ...(avatar === "" && { avatar: null }),
  ...(oneBot !== undefined && { oneBot }),
});

function assertChanges({ avatar }: UserSet, change: object): void {
  if (avatar === undefined && Object.keys(change).length === 0)
    throw new UsageError("Say what to change: --nickname, --ext, --phone, --avatar, --ai or --onebot.");
}

/** `telex user set` */
export async function setUser(command: Command, options: UserSet): Promise<void> {
  const { id, avatar, ai } = options;
  const change = changeOf(options, oneBotChange(options.oneBot));
  assertChanges(options, change);
  const picture = await openPicture(avatar);
  const set = async ({ users }: OperatorClient, target: OperatorTarget): Promise<UserView> => {
    const putAvatar = (file: File): Promise<UserView> => users.putAvatar({ id, file });
    const amend = (changed: typeof change): Promise<UserView> => users.amend({ id, ...changed });
    const user = await changeWithPicture({ change, picture, putAvatar, amend });
    if (ai !== undefined) warnOfModel(command, target, user);
    return user;
  };
  await operate(command, set, (user, target) => {
    show(user);
    if (!target.isRemote) talkOf(command).done("A running server shows this within a second.");
  });
}

const inWords = ({ id, nickname }: Pick<UserView, "id" | "nickname">): string => `${id} (${printable(nickname)})`;

/** The user that `telex user suspend` or `telex user remove` works on. */
export interface UserEnd {
  readonly id: string;
  /** Also the last active admin. */
  readonly force: boolean;
}

/** The field for the operation: over the network, a caller cannot leave an installation without an admin. */
function forced({ force }: UserEnd, { isRemote }: OperatorTarget): { readonly force?: true } {
  if (force && isRemote) throw new UsageError("--force works on the storage only, not over the network.");
  return force ? { force: true } : {};
}

/** `telex user suspend` */
export async function suspendUser(command: Command, options: UserEnd): Promise<void> {
  const { id } = options;
  const suspend = async ({ users }: OperatorClient, target: OperatorTarget): Promise<UserView> =>
    await users.amend({ id, state: "suspended", ...forced(options, target) });
  await operate(command, suspend, (user) =>
    talkOf(command).done(`User ${inWords(user)} is suspended: their sessions and connections end within a second.`),
  );
}

/** `telex user resume` */
export async function resumeUser(command: Command, id: string): Promise<void> {
  const resume = async ({ users }: OperatorClient): Promise<UserView> => await users.amend({ id, state: "active" });
  await operate(command, resume, (user) => talkOf(command).done(`User ${inWords(user)} can use their tokens again.`));
}

async function askAndRemove(
  command: Command,
  { users }: OperatorClient,
  { id, ...how }: { readonly id: string; readonly force?: true },
) {
  const user = await users.show({ id });
  await confirm(command, `Remove user ${inWords(user)}, and delete their devices and AI conversations?`);
  await users.remove({ id, ...how });
  return { id: user.id, nickname: user.nickname, removed: true };
}

/** `telex user remove` */
export async function removeUser(command: Command, options: UserEnd): Promise<void> {
  const remove = async (operations: OperatorClient, target: OperatorTarget) =>
    await askAndRemove(command, operations, { id: options.id, ...forced(options, target) });
  await operate(command, remove, (removed) =>
    talkOf(command).done(`User ${inWords(removed)} is removed. Their messages stay.`),
  );
}

/** The given values, with null for an empty text. */
const defined = (values: Readonly<Record<string, string | undefined>>): Record<string, string | null> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value || null]])),
  );
