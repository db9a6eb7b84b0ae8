import type { GroupView } from "@telex/core";
import type { OperatorClient } from "@telex/http/client";
import type { Command } from "commander";
import { talkOf } from "../options/command.ts";
import { confirm } from "../options/confirm.ts";
import { UsageError } from "../errors/errors.ts";
import { printable, printFields, printRows } from "../terminal/output.ts";
import { operate } from "./operate.ts";
import { changeWithPicture, openPicture } from "./picture.ts";

type MemberView = Awaited<ReturnType<OperatorClient["groups"]["members"]>>[number];

const typeNames: Readonly<Record<number, string>> = {
  0: "0 external group",
  1: "1 group",
  2: "2 private chat",
  3: "3 external private chat",
  4: "4 own external group",
  5: "5 own external private chat",
};

/** The room that `telex group add` adds. */
export interface GroupAdd {
  readonly groupType: GroupView["groupType"];
  readonly name: string;
  readonly members: string[];
  readonly owner: string | undefined;
  readonly ext: string | undefined;
  readonly bot: string | undefined;
}

const show = ({ groupId, groupType, name, ext, bot, avatar, createdAt }: GroupView): void =>
  printFields({ id: groupId, type: typeNames[groupType], name, ext, bot, avatar, createdAt });

/** `telex group rename` */
export async function renameGroup(command: Command, groupId: string, name: string): Promise<void> {
  await operate(command, async ({ groups }) => await groups.amend({ groupId, name }), show);
}

/** The changes of `telex group set`. Undefined fields stay as they are; an empty `avatar` removes the picture. */
interface GroupSet {
  readonly groupId: string;
  readonly name: string | undefined;
  readonly avatar: string | undefined;
}

/** `telex group set` */
export async function setGroup(command: Command, { groupId, name, avatar }: GroupSet): Promise<void> {
  if (name === undefined && avatar === undefined) throw new UsageError("Say what to change: --name or --avatar.");
  const change = { ...(name !== undefined && { name }), ...(avatar === "" && { avatar: null }) };
  const picture = await openPicture(avatar);
  const set = ({ groups }: OperatorClient): Promise<GroupView> =>
    changeWithPicture({
      change,
      picture,
      putAvatar: (file) => groups.putAvatar({ groupId, file }),
      amend: (changed) => groups.amend({ groupId, ...changed }),
    });
  await operate(command, set, show);
}

/** `telex group remove` */
export async function removeGroup(command: Command, groupId: string): Promise<void> {
  await operate(
    command,
    async ({ groups }) => {
      await confirm(command, `Remove chat room ${printable(groupId)}? Its messages can no longer be read then.`);
      await groups.remove({ groupId });
      return { groupId: Number(groupId), removed: true };
    },
    (removed) => talkOf(command).done(`Chat room ${removed.groupId} is removed.`),
  );
}

/** `telex group add` */
export async function addGroup(command: Command, group: GroupAdd): Promise<void> {
  await operate(command, async ({ groups }) => await groups.add(group), show, "add");
}

const showList = (groups: readonly GroupView[]): void =>
  printRows(groups, {
    id: ({ groupId }) => groupId,
    type: ({ groupType }) => typeNames[groupType],
    name: ({ name }) => name,
    ext: ({ ext }) => ext,
    bot: ({ bot }) => bot,
    created: ({ createdAt }) => createdAt,
  });

/** `telex group list` */
export async function listGroups(command: Command, page: { after?: string; limit: number }): Promise<void> {
  await operate(command, async ({ groups }) => await groups.list(page), showList);
}

/** The name of a member in a room; null for none. */
export interface MemberCard {
  readonly userId: string;
  readonly card: string | null;
}

/** The role of a member in a room. */
export interface MemberRole extends Pick<MemberView, "role"> {
  readonly userId: string;
}

interface MembersChange {
  readonly groupId: string;
  readonly add: string[];
  readonly remove: string[];
  readonly roles: MemberRole[];
  readonly cards: readonly MemberCard[];
}

const showMembers = (members: readonly MemberView[]): void =>
  printRows(members, {
    user: ({ userId }) => userId,
    nickname: ({ nickname }) => nickname,
    card: ({ card }) => card,
    role: ({ role }) => role,
  });

/** Changes the members, and resolves with the new list. */
async function changeMembers({ groups }: OperatorClient, { groupId, cards, ...change }: MembersChange) {
  const isSame = change.add.length + change.remove.length + change.roles.length === 0;
  let members = await (isSame ? groups.members({ groupId }) : groups.amendMembers({ groupId, ...change }));
  for (const card of cards) members = await groups.card({ groupId, ...card });
  return members;
}

/** `telex group members` */
export async function listMembers(command: Command, change: MembersChange): Promise<void> {
  await operate(command, async (operations) => await changeMembers(operations, change), showMembers);
}
