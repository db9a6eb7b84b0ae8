import type { GroupView } from "@telex/core";
import type { Command } from "commander";
import { talkOf } from "../command.ts";
import { printFields, printTable } from "../output.ts";
import { operate } from "./operate.ts";

const typeNames: Readonly<Record<number, string>> = {
  0: "0 external group",
  1: "1 group",
  2: "2 private chat",
  3: "3 external private chat",
  4: "4 own external group",
  5: "5 own external private chat",
};

/** What `telex group add` was asked for. */
export interface GroupAdd {
  readonly groupType: GroupView["groupType"];
  readonly name: string;
  readonly members: string[];
  readonly ext: string | undefined;
  readonly bot: string | undefined;
}

const show = ({ groupId, groupType, name, ext, bot, createdAt }: GroupView): void =>
  printFields({ id: groupId, type: typeNames[groupType], name, ext, bot, createdAt });

/** `telex group rename` */
export async function renameGroup(command: Command, groupId: string, name: string): Promise<void> {
  await operate(command, async ({ groups }) => await groups.amend({ groupId, name }), show);
}

/** `telex group remove` */
export async function removeGroup(command: Command, groupId: string): Promise<void> {
  await operate(
    command,
    async ({ groups }) => {
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

/** `telex group list` */
export async function listGroups(command: Command, page: { after?: string; limit: number }): Promise<void> {
  await operate(
    command,
    async ({ groups }) => await groups.list(page),
    (groups) =>
      printTable(
        ["id", "type", "name", "ext", "bot", "created"],
        groups.map(({ groupId, groupType, name, ext, bot, createdAt }) => [
          groupId,
          typeNames[groupType],
          name,
          ext,
          bot,
          createdAt,
        ]),
      ),
  );
}

/** `telex group members` */
export async function listMembers(
  command: Command,
  { groupId, add, remove }: { groupId: string; add: string[]; remove: string[] },
): Promise<void> {
  await operate(
    command,
    async ({ groups }) =>
      await (add.length + remove.length === 0
        ? groups.members({ groupId })
        : groups.amendMembers({ groupId, add, remove })),
    (members) =>
      printTable(
        ["user", "nickname", "card"],
        members.map(({ userId, nickname, card }) => [userId, nickname, card]),
      ),
  );
}
