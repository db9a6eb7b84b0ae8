import { InvalidArgumentError } from "commander";
import type { Command } from "commander";
import { clientSettings, commonOf, settingOptions, talkOf } from "../../options/command.ts";
import { serverOf } from "../../client/server.ts";
import { readInteger } from "../../options/read.ts";

const groupTypes = [0, 1, 2, 3, 4, 5] as const;

export type GroupTypeCode = (typeof groupTypes)[number];

export function readType(written: string): GroupTypeCode {
  const type = groupTypes.find((code) => String(code) === written);
  if (type === undefined) throw new InvalidArgumentError("It must be a code from 0 to 5.");
  return type;
}

const talkHelp = `
Each line that you type is sent; messages of others appear. Lines can also be piped in:
  $ echo "Good morning" | telex group talk 1 --token $TOKEN`;

export function defineTalk(command: Command): void {
  settingOptions(command.description("Talk in a chat room of a running server"), clientSettings)
    .argument("<groupId>", "chat room")
    .option("--type <code>", "type of the room", readType, 1)
    .option("--last <n>", "messages to show at first, 0 to 100", readInteger(0, 100), 10)
    .addHelpText("after", talkHelp)
    .action(async (groupId: string, { type, last }: { readonly type: GroupTypeCode; readonly last: number }) => {
      const { talkInRoom } = await import("../../client/room.ts");
      const { json = false } = commonOf(command);
      await talkInRoom(await serverOf(command), { groupId, groupType: type, last, json, talk: talkOf(command) });
    });
}

const searchHelp = `
All words must match. Chinese is also found by its pinyin, or by the initials.

Examples:
  $ telex group search tea
  $ telex group search --group 1 wan shang`;

interface SearchOptions {
  readonly group?: string;
  readonly last: number;
}

export function defineSearch(command: Command): void {
  settingOptions(
    command.description("Search your chat rooms on a running server, the newest message last"),
    clientSettings,
  )
    .argument("<words...>", "1 to 128 characters")
    .option("--group <id>", "only in this room")
    .option("--last <n>", "maximum messages, 1 to 100", readInteger(1, 100), 20)
    .addHelpText("after", searchHelp)
    .action(async (words: readonly string[], { group: groupId, last }: SearchOptions) => {
      const { searchRooms } = await import("../../client/search.ts");
      const { json = false } = commonOf(command);
      const search = { words: words.join(" "), groupId, last, json, talk: talkOf(command) };
      await searchRooms(await serverOf(command), search);
    });
}
