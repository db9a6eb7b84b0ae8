import { open } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { basename } from "node:path";
import { operator } from "@telex/core";
import type { Telex, TokenHolder, UserView } from "@telex/core";
import type { Command } from "commander";
import { commonOf, talkOf } from "../command.ts";
import { Failure, UsageError } from "../errors.ts";
import { printable, printFields, printJson, printTable } from "../output.ts";
import { modelNamesOf } from "../server/ai.ts";
import type { Config } from "../settings/load.ts";
import { operate } from "./operate.ts";
import { withTelex } from "./with-telex.ts";

const show = ({ id, nickname, ext, phone, avatar, ai, createdAt }: UserView): void =>
  printFields({ id, nickname, ext, phone, avatar, ai, createdAt });

/** The server may be configured elsewhere: what is not known here may be known there. */
function warnOfModel(command: Command, config: Config, { ai }: UserView): void {
  const known = modelNamesOf(config);
  if (ai === null || known.includes(ai)) return;
  talkOf(command).warn(`No model "${ai}" is configured here, only ${known.join(", ")}. The server must know it.`);
}

/** What `telex user add` was asked for. */
export interface UserAdd {
  readonly nickname: string;
  readonly ext: string | undefined;
  readonly phone: string | undefined;
  readonly ai: string | undefined;
  /** Print a token with the scope `chat`, too. */
  readonly issueToken: boolean;
}

/** `telex user add` */
export async function addUser(command: Command, { issueToken, ...user }: UserAdd): Promise<void> {
  await operate(
    command,
    async ({ users, tokens }, caller, config) => {
      const added = await users.add(caller, user);
      warnOfModel(command, config, added);
      if (!issueToken) return added;
      return { ...added, token: (await tokens.issue(caller, { userId: added.id, scopes: ["chat"] })).token };
    },
    (added) => {
      show(added);
      if ("token" in added) {
        printFields({ token: added.token });
        talkOf(command).done("The token is not shown again.");
      } else if (added.ai === null)
        talkOf(command).note(`Give ${added.nickname} a token: telex token issue --user ${added.id} --scope chat`);
    },
    "add",
  );
}

/** `telex user list` */
export async function listUsers(command: Command, page: { after?: string; limit: number }): Promise<void> {
  await operate(
    command,
    async ({ users }, caller) => await users.list(caller, page),
    (users) =>
      printTable(
        ["id", "nickname", "ext", "phone", "ai", "created"],
        users.map(({ id, nickname, ext, phone, ai, createdAt }) => [id, nickname, ext, phone, ai, createdAt]),
      ),
  );
}

/** `telex user show` */
export async function showUser(command: Command, id: string): Promise<void> {
  await operate(command, async ({ users }, caller) => await users.show(caller, { id }), show);
}

/** What `telex user set` changes: undefined stays, an empty text takes the value away. */
export interface UserSet {
  readonly id: string;
  readonly nickname: string | undefined;
  readonly ext: string | undefined;
  readonly phone: string | undefined;
  readonly avatar: string | undefined;
  readonly ai: string | undefined;
}

/** `telex user set` */
export async function setUser(command: Command, { id, nickname, ext, phone, avatar, ai }: UserSet): Promise<void> {
  if ([nickname, ext, phone, avatar, ai].every((value) => value === undefined)) {
    throw new UsageError("Say what to change: --nickname, --ext, --phone, --avatar or --ai.");
  }
  const user = await withTelex(command, async (telex, config) => {
    const { users } = telex.operator;
    const { id: userId } = await users.show(operator, { id });
    const change = { ...given({ ext, phone, ai }), ...(nickname !== undefined && { nickname }) };
    const picture =
      avatar === undefined ? {} : { avatar: avatar === "" ? null : await storePicture(telex, userId, avatar) };
    const changed = await users.amend(operator, { id, ...change, ...picture });
    if (ai !== undefined) warnOfModel(command, config, changed);
    return changed;
  });
  if (commonOf(command).json === true) printJson(user);
  else {
    show(user);
    talkOf(command).done("A running server shows this within a second.");
  }
}

/** `telex user remove` */
export async function removeUser(command: Command, id: string): Promise<void> {
  await operate(
    command,
    async ({ users }, caller) => {
      const { id: userId, nickname } = await users.show(caller, { id });
      await users.remove(caller, { id });
      return { id: userId, nickname, removed: true };
    },
    (removed) =>
      talkOf(command).done(`User ${removed.id} (${printable(removed.nickname)}) is removed. Their messages stay.`),
  );
}

/** What was given, with null for an empty text. */
const given = (values: Readonly<Record<string, string | undefined>>): Record<string, string | null> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value || null]])),
  );

/** Stores a picture as the user would have uploaded it, and answers its MD5. */
async function storePicture(telex: Telex, userId: number, path: string): Promise<string> {
  const owner: TokenHolder = { kind: "token", userId, scopes: ["chat"], tokenId: null, expiresAt: null };
  await using handle = await openFile(path);
  const bytes = handle.createReadStream({ autoClose: false });
  const file = { name: basename(path), mime: "application/octet-stream", bytes };
  return (await telex.bucket.upload(owner, { file })).file_id;
}

async function openFile(path: string): Promise<FileHandle> {
  const refuse = (cause?: unknown): never => {
    throw new Failure("unreadable_file", `${path} is not a file that can be read.`, { cause });
  };
  const handle = await open(path).catch(refuse);
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  return refuse();
}
