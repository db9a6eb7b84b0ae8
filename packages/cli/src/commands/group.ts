import { InvalidArgumentError } from "commander";
import type { Command } from "commander";
import { clientSettings, commonOf, operatorCommand, settingOptions, talkOf } from "../options/command.ts";
import { confirmed } from "../options/confirm.ts";
import type { MemberCard } from "../operator/groups.ts";
import { serverOf } from "../client/server.ts";
import { gather, type Page, pageOptions, readInteger } from "../options/read.ts";

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
}

/** A command of the operator that works on one room. */
const roomCommand = (command: Command, description: string): Command =>
  operatorCommand(command, description).argument("<groupId>", "chat room");

const load = async () => await import("../operator/groups.ts");

const types = `
Types:
  0  external group, through the official bot     3  external private chat, through the official bot
  1  group, stored here                           4  external group, through the room's own bot
  2  private chat, stored here                    5  external private chat, through the room's own bot`;

const groupTypes = [0, 1, 2, 3, 4, 5] as const;
type GroupTypeCode = (typeof groupTypes)[number];

function readType(written: string): GroupTypeCode {
  const type = groupTypes.find((code) => String(code) === written);
  if (type === undefined) throw new InvalidArgumentError("It must be a code from 0 to 5.");
  return type;
}

interface AddOptions {
  readonly type: GroupTypeCode;
  readonly name: string;
  readonly member?: readonly string[];
  readonly ext?: string;
  readonly bot?: string;
}

function defineAdd(command: Command): void {
  operatorCommand(command, "Add a chat room")
    .requiredOption("--type <code>", "0 to 5, see below", readType)
    .requiredOption("--name <name>", "1 to 64 characters")
    .option("--member <id>", "a user; can be given several times", gather)
    .option("--ext <id>", "ID of the group in the external network")
    .option("--bot <account>", "account of the room's own bot")
    .addHelpText("after", types)
    .action(async ({ type, name, member = [], ext, bot }: AddOptions) => {
      await (await load()).addGroup(command, { groupType: type, name, members: [...member], ext, bot });
    });
}

function defineList(command: Command): void {
  pageOptions(operatorCommand(command, "List chat rooms by id"), "rooms").action(async (page: Page) => {
    await (await load()).listGroups(command, page);
  });
}

interface MembersOptions {
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
  readonly card?: readonly MemberCard[];
}

/** `<userId>=<name>`; an empty name removes the member's name in the room. */
function gatherCards(written: string, before: readonly MemberCard[] = []): readonly MemberCard[] {
  const [, userId, name] = /^(\d+)=(.*)$/s.exec(written) ?? [];
  if (userId === undefined || name === undefined) throw new InvalidArgumentError("It must look like 3=Grandma.");
  return [...before, { userId, card: name === "" ? null : name }];
}

function defineMembers(command: Command): void {
  roomCommand(command, "Add, remove and list members of a chat room")
    .option("--add <id>", "a user to add; can be given several times", gather)
    .option("--remove <id>", "a user to remove; can be given several times", gather)
    .option("--card <id=name>", "name of a member in this room; can be given several times", gatherCards)
    .action(async (groupId: string, { add = [], remove = [], card: cards = [] }: MembersOptions) => {
      await (await load()).listMembers(command, { groupId, add: [...add], remove: [...remove], cards });
    });
}

const renameHelp = `
Example:
  $ telex group rename 1 "Back office"`;

function defineRename(command: Command): void {
  roomCommand(command, "Rename a chat room")
    .argument("<name>", "1 to 64 characters")
    .addHelpText("after", renameHelp)
    .action(async (groupId: string, name: string) => {
      await (await load()).renameGroup(command, groupId, name);
    });
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
    .action(async (groupId: string, { name, avatar }: SetOptions) => {
      await (await load()).setGroup(command, { groupId, name, avatar });
    });
}

const removeHelp = `
The room has no members afterwards, and nobody can read its messages. They stay in the storage.

Example:
  $ telex group remove 1`;

function defineRemove(command: Command): void {
  confirmed(roomCommand(command, "Remove a chat room"))
    .addHelpText("after", removeHelp)
    .action(async (groupId: string) => {
      await (await load()).removeGroup(command, groupId);
    });
}

const talkHelp = `
Each line that you type is sent; what others write appears. Lines can also be piped in:
  $ echo "Good morning" | telex group talk 1 --token $TOKEN`;

function defineTalk(command: Command): void {
  settingOptions(command.description("Talk in a chat room of a running server"), clientSettings)
    .argument("<groupId>", "chat room")
    .option("--type <code>", "type of the room", readType, 1)
    .option("--last <n>", "messages to show at first, 0 to 100", readInteger(0, 100), 10)
    .addHelpText("after", talkHelp)
    .action(async (groupId: string, { type, last }: { readonly type: GroupTypeCode; readonly last: number }) => {
      const { talkInRoom } = await import("../client/room.ts");
      const { json = false } = commonOf(command);
      await talkInRoom(await serverOf(command), { groupId, groupType: type, last, json, talk: talkOf(command) });
    });
}

const searchHelp = `
All words must match. Chinese is also found by its pinyin, or by the initials of it.

Examples:
  $ telex group search tea
  $ telex group search --group 1 wan shang`;

interface SearchOptions {
  readonly group?: string;
  readonly last: number;
}

function defineSearch(command: Command): void {
  settingOptions(
    command.description("Search your chat rooms on a running server, the newest message last"),
    clientSettings,
  )
    .argument("<words...>", "1 to 128 characters")
    .option("--group <id>", "only in this room")
    .option("--last <n>", "messages to find at most, 1 to 100", readInteger(1, 100), 20)
    .addHelpText("after", searchHelp)
    .action(async (words: readonly string[], { group: groupId, last }: SearchOptions) => {
      const { searchRooms } = await import("../client/search.ts");
      const { json = false } = commonOf(command);
      const search = { words: words.join(" "), groupId, last, json, talk: talkOf(command) };
      await searchRooms(await serverOf(command), search);
    });
}
