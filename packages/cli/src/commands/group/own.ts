import { type Command, InvalidArgumentError } from "commander";
import { serverOf } from "../../client/server.ts";
import { clientSettings, commonOf, settingOptions } from "../../options/command.ts";
import { gather, readDuration, readInteger } from "../../options/read.ts";

const load = async () => await import("../../client/own-rooms.ts");

const jsonOf = (command: Command): boolean => commonOf(command).json ?? false;

/** A command of a person on a running server. */
const personCommand = (command: Command, description: string): Command =>
  settingOptions(command.description(description), clientSettings);

const ofRoom = (command: Command, description: string): Command =>
  personCommand(command, description).argument("<groupId>", "chat room");

/** The commands of `telex group` with which people run rooms of their own. */
export function defineOwnRooms(command: Command): void {
  defineCreate(command.command("create"));
  defineChat(command.command("chat"));
  defineLink(command.command("link"));
  defineLinks(command.command("links"));
  defineJoin(command.command("join"));
  defineLeave(command.command("leave"));
  defineArchive(command.command("archive"));
  definePeople(command.command("people"));
  defineBlock(command.command("block"));
}

const createHelp = `
You become the owner. The operator adds rooms for others with telex group add.

Example:
  $ telex group create "Sunday walks" --member 2 --member 3`;

interface CreateOptions {
  readonly topic: string;
  readonly member?: readonly string[];
}

function defineCreate(command: Command): void {
  personCommand(command, "Create a chat room of your own on a running server")
    .argument("<name>", "1 to 128 characters")
    .option("--topic <text>", "up to 1000 characters", "")
    .option("--member <id>", "a user to add; can be given several times", gather)
    .addHelpText("after", createHelp)
    .action(async (name: string, { topic, member: members = [] }: CreateOptions) =>
      (await load()).createRoom(await serverOf(command), jsonOf(command), { name, topic, members }),
    );
}

function defineChat(command: Command): void {
  personCommand(command, "Open your private chat with a person")
    .argument("<userId>", "the person; telex group people finds ids")
    .action(async (userId: string) => (await load()).openPrivateChat(await serverOf(command), jsonOf(command), userId));
}

const linkHelp = `
Example:
  $ telex group link 3 --uses 5 --life 1d`;

interface LinkOptions {
  readonly uses: number;
  readonly life?: number;
}

function defineLink(command: Command): void {
  ofRoom(command, "Create a link with which people with an account join a room that you run")
    .option("--uses <n>", "1 to 1000", readInteger(1, 1000), 100)
    .option("--life <time>", "such as 2h or 7d [7d]", readDuration)
    .addHelpText("after", linkHelp)
    .action(async (groupId: string, { uses, life }: LinkOptions) => {
      const link = { groupId, uses, ...(life !== undefined && { life: Math.round(life / 1000) }) };
      await (await load()).makeLink(await serverOf(command), jsonOf(command), link);
    });
}

function defineLinks(command: Command): void {
  ofRoom(command, "List the links of a chat room that you run, or end one of them")
    .option("--end <linkId>", "as the list shows it")
    .action(async (groupId: string, { end = null }: { readonly end?: string | null }) => {
      const { endLink, listLinks } = await load();
      const server = await serverOf(command);
      if (end === null) await listLinks(server, jsonOf(command), groupId);
      else await endLink(server, jsonOf(command), groupId, end);
    });
}

function defineJoin(command: Command): void {
  personCommand(command, "Join a chat room with a link")
    .argument("<link>", "the address, or the part after its #")
    .action(async (link: string) => (await load()).joinRoom(await serverOf(command), jsonOf(command), link));
}

function defineLeave(command: Command): void {
  ofRoom(command, "Leave a chat room").action(async (groupId: string) =>
    (await load()).leaveRoom(await serverOf(command), jsonOf(command), groupId),
  );
}

function defineArchive(command: Command): void {
  ofRoom(command, "Archive a chat room that you own: it can be read, but not written in")
    .option("--undo", "bring the room back", false)
    .action(async (groupId: string, { undo }: { readonly undo: boolean }) =>
      (await load()).archiveRoom(await serverOf(command), jsonOf(command), groupId, !undo),
    );
}

function definePeople(command: Command): void {
  personCommand(command, "Find people by nickname, username or pinyin")
    .argument("[query]", "without it: everyone", "")
    .action(async (query: string) => (await load()).findPeople(await serverOf(command), jsonOf(command), query));
}

const blockHelp = `
A person whom you block can neither open nor write in a private chat with you, nor add you to a room.

Examples:
  $ telex group block 7
  $ telex group block 7 --remove`;

function defineBlock(command: Command): void {
  personCommand(command, "Block a person, or list those whom you have blocked")
    .argument("[userId]", "the person; without it, lists blocked people")
    .option("--remove", "end the block", false)
    .addHelpText("after", blockHelp)
    .action(async (userId: string | undefined, { remove }: { readonly remove: boolean }) => {
      if (userId === undefined && remove) throw new InvalidArgumentError("Name the person whose block ends.");
      const own = await load();
      const server = await serverOf(command);
      if (userId === undefined) await own.listBlocked(server, jsonOf(command));
      else await own.blockPerson(server, jsonOf(command), userId, remove);
    });
}
