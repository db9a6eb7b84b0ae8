import type { Command } from "commander";
import { clientSettings, commonOf, settingOptions, talkOf } from "../../options/command.ts";
import { deviceArguments, deviceWords } from "../../options/device-id.ts";
import { readInteger } from "../../options/read.ts";
import { serverOf } from "../../client/server.ts";
import { untilStopped } from "../../terminal/signals.ts";

/** `telex device run`, `listen` and `cat` */
export function defineRunning(command: Command): void {
  defineRun(command.command("run"));
  defineListen(command.command("listen"));
  defineCat(command.command("cat"));
}

/** A command that is a device: with its ID, and the settings of a client. */
export const define = (command: Command, description: string, help: string): Command =>
  deviceArguments(settingOptions(command.description(description), clientSettings)).addHelpText("after", help);

export const naming = ["--name <name>", "name of the device; without it, an existing device keeps its name"] as const;

interface NamedOptions {
  readonly name?: string;
}

/** The device of a command. `can` says what it can do, for its owner. */
export async function receivingOf(command: Command, can: readonly string[] = ["text"]) {
  const [deviceId = ""] = deviceWords(command);
  const { name = null } = command.opts<NamedOptions>();
  return { server: await serverOf(command), deviceId, name, can, talk: talkOf(command) };
}

interface RunOptions {
  readonly exec: string;
  readonly attempts: number;
  readonly timeout: number;
  readonly reply?: boolean;
}

const runHelp = `
The command runs with "sh -c". The text is its standard input; TELEX_TEXT_ID, TELEX_TEXT_TITLE and TELEX_TEXT_PRIORITY describe it. The
environment contains no token. A text is delivered when the command has ended with 0. Otherwise it runs again, after 1, 2, 4 ... 60 s,
and the texts behind it wait. If this process or its machine fails after the command and before the server knows, the command runs
again for the same text: compare TELEX_TEXT_ID if that matters. Ctrl-C waits for a running command; a second one ends it.

Examples:
  $ telex device run --id kitchen --exec 'lp -d Kitchen'
  $ telex device run --id door --exec './ask.sh' --reply --attempts 3`;

function defineRun(command: Command): void {
  define(command, "Be a device: run a command for each text", runHelp)
    .requiredOption("--exec <command>", "the command, for sh -c")
    .option("--reply", "send what the command prints as texts of the device, at most 20,000 characters")
    .option("--attempts <n>", "failures after which a text is given up", readInteger(1, 1_000_000), 10)
    .option("--timeout <s>", "seconds that the command may take for one text", readInteger(1, 86_400), 300)
    .option(...naming)
    .action(async () => {
      const { exec, attempts, timeout, reply = false } = command.opts<RunOptions>();
      const { runDevice } = await import("../../devices/run/run.ts");
      const run = { receiving: await receivingOf(command), command: exec, attempts, timeout, reply };
      await runDevice(run, untilStopped());
    });
}

const listenHelp = `
A text is delivered when it was printed. With --json, each text is one line of JSON.

Examples:
  $ telex device listen kitchen
  $ telex device listen kitchen --json | jq -r .content`;

function defineListen(command: Command): void {
  define(command, "Be a device: print each text", listenHelp)
    .option(...naming)
    .action(async () => {
      const { listen } = await import("../../devices/run/listen.ts");
      await listen(await receivingOf(command), commonOf(command).json ?? false, untilStopped());
    });
}

const catHelp = `
Empty lines are skipped. A line that the server rejects, such as one of more than 2000 characters, is reported and skipped, and
the exit code is then 1. To send lines to a device instead: telex device send <id> -

Example:
  $ tail -f /var/log/alarms | telex device cat cellar`;

function defineCat(command: Command): void {
  define(command, "Be a device: send the lines of standard input as texts of the device", catHelp).action(async () => {
    const [deviceId = ""] = deviceWords(command);
    const { sendLines } = await import("../../devices/run/cat.ts");
    await sendLines(await serverOf(command), deviceId, talkOf(command), untilStopped());
  });
}
