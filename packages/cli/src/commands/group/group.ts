import { InvalidArgumentError } from "commander";
import type { Command } from "commander";
import { operatorCommand } from "../../options/command.ts";
import { confirmed } from "../../options/confirm.ts";
import type { MemberCard, MemberRole } from "../../operator/groups.ts";
import { defineEdit, defineMissed, defineNotify, definePin, defineReact } from "./messages.ts";
import { defineOwnRooms } from "./own.ts";
import { gather, type Page, pageOptions } from "../../options/read.ts";
import { type GroupTypeCode, readType, defineTalk, defineSearch } from "./talk.ts";

/** `telex group` */
export function defineGroup(command: Command): void {
  defineAdd(command.command("add"));
  defineList(command.command("list"));
  defineMembers(command.command("members"));
  defineRename(command.command("rename"));
  defineSet(command.command("set"));
  defineRemove(command.command("remove"));
  defineTalk(command.command("talk"));
  defineSearch(command.command("search"));
  defineEdit(command.command("edit"));
  defineReact(command.command("react"));
  definePin(command.command("pin"));
  defineMissed(command.command("missed"));
  defineNotify(command.command("notify"));
  defineOwnRooms(command);
}

/** A command of the operator that works on one room. */
const roomCommand = (command: Command, description: string): Command =>
  operatorCommand(command, description).argument("<groupId>", "chat room");

const load = async () => await import("../../operator/groups.ts");

const types = `
Types:
  0  external group, through the official bot     3  external private chat, through the official bot
  1  group, stored here                           4  external group, through the room's own bot
  2  private chat, stored here                    5  external private chat, through the room's own bot`;

interface AddOptions {
  readonly type: GroupTypeCode;
  readonly name: string;
  readonly member?: readonly string[];
  readonly owner?: string;
  readonly ext?: string;
  readonly bot?: string;
}

function defineAdd(command: Command): void {
  operatorCommand(command, "Add a chat room")
    .requiredOption("--type <code>", "0 to 5, see below", readType)
    .requiredOption("--name <name>", "1 to 64 characters")
    .option("--member <id>", "a user; can be given several times", gather)
    .option("--owner <id>", "a user who owns the room, for rooms of type 1")
    .option("--ext <id>", "ID of the group in the external network")
    .option("--bot <account>", "account of the room's own bot")
    .addHelpText("after", types)
    .action(async ({ type, name, member = [], owner, ext, bot }: AddOptions) =>
      (await load()).addGroup(command, { groupType: type, name, members: [...member], owner, ext, bot }),
    );
}

function defineList(command: Command): void {
  pageOptions(operatorCommand(command, "List chat rooms by id"), "rooms").action(async (page: Page) =>
    (await load()).listGroups(command, page),
  );
}

interface MembersOptions {
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
  readonly card?: readonly MemberCard[];
  readonly role?: readonly MemberRole[];
}

const roles = ["owner", "moderator", "member"] as const satisfies readonly MemberRole["role"][];

/** `<userId>=<name>`; an empty name removes the member's name in the room. */
function gatherCards(written: string, before: readonly MemberCard[] = []): readonly MemberCard[] {
  const [, userId, name] = /^(\d+)=(.*)$/s.exec(written) ?? [];
  if (userId === undefined || name === undefined) throw new InvalidArgumentError("It must look like 3=Grandma.");
  return [...before, { userId, card: name === "" ? null : name }];
}

/** `<userId>=<role>` */
function gatherRoles(written: string, before: readonly MemberRole[] = []): readonly MemberRole[] {
  const [, userId, name] = /^(\d+)=(.*)$/s.exec(written) ?? [];
  const role = roles.find((one) => one === name);
  if (userId === undefined || role === undefined)
    throw new InvalidArgumentError(`It must look like 3=moderator. The roles are ${roles.join(", ")}.`);
  return [...before, { userId, role }];
}

function defineMembers(command: Command): void {
  roomCommand(command, "Add, remove and list members of a chat room")
    .option("--add <id>", "a user to add; can be given several times", gather)
    .option("--remove <id>", "a user to remove; can be given several times", gather)
    .option("--card <id=name>", "name of a member in this room; can be given several times", gatherCards)
    .option("--role <id=role>", "owner, moderator or member, in a room of type 1; several times", gatherRoles)
    .action(async (groupId: string, { add = [], remove = [], card: cards = [], role = [] }: MembersOptions) => {
      const change = { groupId, add: [...add], remove: [...remove], roles: [...role], cards };
      await (await load()).listMembers(command, change);
    });
}

const renameHelp = `
Example:
  $ telex group rename 1 "Back office"`;

function defineRename(command: Command): void {
  roomCommand(command, "Rename a chat room")
    .argument("<name>", "1 to 64 characters")
    .addHelpText("after", renameHelp)
    .action(async (groupId: string, name: string) => (await load()).renameGroup(command, groupId, name));
}

interface SetOptions {
  readonly name?: string;
  readonly avatar?: string;
}

const setHelp = `
Example:
  $ telex group set 1 --name "Back office" --avatar office.jpg`;

function defineSet(command: Command): void {
  roomCommand(command, "Change the name or the picture of a chat room")
    .option("--name <name>", "1 to 64 characters")
    .option("--avatar <file>", 'picture to store and show; "" removes it')
    .addHelpText("after", setHelp)
    .action(async (groupId: string, { name, avatar }: SetOptions) =>
      (await load()).setGroup(command, { groupId, name, avatar }),
    );
}

const removeHelp = `
The room then has no members, so its messages can no longer be read. They stay in the storage.

Example:
  $ telex group remove 1`;

function defineRemove(command: Command): void {
  confirmed(roomCommand(command, "Remove a chat room"))
    .addHelpText("after", removeHelp)
    .action(async (groupId: string) => (await load()).removeGroup(command, groupId));
}
