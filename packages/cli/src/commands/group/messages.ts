import { type Command, Option } from "commander";
import { clientSettings, commonOf, settingOptions } from "../../options/command.ts";
import { readDuration } from "../../options/read.ts";
import { serverOf } from "../../client/server.ts";

const load = async () => await import("../../client/room-messages.ts");

const jsonOf = (command: Command): boolean => commonOf(command).json ?? false;

/** A command of a member on one message. */
const messageCommand = (command: Command, description: string): Command =>
  settingOptions(command.description(description), clientSettings)
    .argument("<groupId>", "chat room")
    .argument("<messageId>", "message");

export function defineEdit(command: Command): void {
  messageCommand(command, "Edit a text that you sent to a chat room of a running server")
    .argument("<text>", "the new text")
    .action(async (groupId: string, messageId: string, text: string) =>
      (await load()).editMessage(await serverOf(command), { groupId, messageId }, text, jsonOf(command)),
    );
}

export function defineReact(command: Command): void {
  messageCommand(command, "React to a message of a chat room of a running server")
    .argument("<emoji>", "one emoji")
    .option("--remove", "remove the reaction", false)
    .action(async (groupId: string, messageId: string, emoji: string, { remove }: { readonly remove: boolean }) => {
      const reaction = { emoji, remove, json: jsonOf(command) };
      await (await load()).react(await serverOf(command), { groupId, messageId }, reaction);
    });
}

export function definePin(command: Command): void {
  messageCommand(command, "Pin a message in a chat room that you run")
    .option("--remove", "unpin the message", false)
    .action(async (groupId: string, messageId: string, { remove }: { readonly remove: boolean }) =>
      (await load()).pin(await serverOf(command), { groupId, messageId }, { remove, json: jsonOf(command) }),
    );
}

const missedHelp = `
Only you get the summary. It counts against your quota, and unread messages stay unread.

Example:
  $ telex group missed 1`;

interface MissedOptions {
  readonly since?: string;
  readonly model?: string;
}

export function defineMissed(command: Command): void {
  const about = "Let a model of a chat room summarize what you have missed in it";
  settingOptions(command.description(about), clientSettings)
    .argument("<groupId>", "chat room")
    .option("--since <messageId>", "only messages after this one [the last one that you have read]")
    .option("--model <userId>", "user ID of the model [the first one in the room]")
    .addHelpText("after", missedHelp)
    .action(async (groupId: string, options: MissedOptions) =>
      (await load()).showMissed(await serverOf(command), { groupId, ...options }, jsonOf(command)),
    );
}

const levels = ["all", "mentions", "none", "default"] as const;

interface NotifyOptions {
  readonly level: (typeof levels)[number];
  readonly mute?: number;
}

const readMute = (written: string): number => (written === "0" ? 0 : readDuration(written));

const notifyHelp = `
Example:
  $ telex group notify 1 --level mentions --mute 8h`;

export function defineNotify(command: Command): void {
  settingOptions(command.description("Choose which messages of a chat room notify you"), clientSettings)
    .argument("<groupId>", "chat room")
    .addOption(new Option("--level <level>", "default: as your account says").choices(levels).makeOptionMandatory())
    .option("--mute <time>", "no notifications for this time; 0 ends it", readMute)
    .addHelpText("after", notifyHelp)
    .action(async (groupId: string, { level, mute }: NotifyOptions) =>
      (await load()).setLevel(await serverOf(command), groupId, level, { mute, json: jsonOf(command) }),
    );
}
