import type { Delivery } from "../../client/send.ts";
import { Option } from "commander";
import type { Command } from "commander";
import { clientSettings, commonOf, settingOptions, talkOf } from "../../options/command.ts";
import { serverOf } from "../../client/server.ts";
import { UsageError } from "../../errors/errors.ts";
import { deviceArguments, deviceWords } from "../../options/device-id.ts";
import { readChoices, readInteger } from "../../options/read.ts";
import { defineRunning } from "./run.ts";
import { definePrint } from "./print.ts";
import { defineDevices } from "./devices.ts";
import type { Fault } from "../../simulate/faults.ts";

const help = `
Faults are simulated between the device and the server: drop loses requests and responses, dup sends requests
twice, slow delays them, and skew makes the clock of the device wrong. No text may be lost or duplicated:
otherwise the exit code is 1.

Lines that you type are sent as texts from the device. With --count above 1, stdin is not read. In the background of a
shell, add </dev/null. With --json, each text that a device receives is one line of JSON, and the last line contains the statistics.

Examples:
  $ telex device simulate kitchen-printer --token $TOKEN
  $ telex device simulate fleet --token $TOKEN --count 50 --echo --faults drop,dup,slow,skew --duration 60`;

const faultNames: readonly Fault[] = ["drop", "dup", "slow", "skew"];

interface SimulateOptions {
  readonly id?: string;
  readonly name?: string;
  readonly mode: "poll" | "ws";
  readonly count: number;
  readonly duration?: number;
  readonly echo?: boolean;
  readonly room?: number;
  readonly mentions?: boolean;
  readonly life?: number;
  readonly faults?: readonly Fault[];
  readonly seed?: number;
}

/** `telex device` */
export function defineDevice(command: Command): void {
  defineSend(command.command("send"));
  defineRunning(command);
  definePrint(command.command("print"));
  defineSimulate(command.command("simulate"));
  defineDevices(command);
}

const sendHelp = `
Examples:
  $ telex device send kitchen "Tea is ready" --life 600
  $ telex device send --tag hall "The bins" --at 2026-12-24T18:00:00+01:00 --title Reminder
  $ uptime | telex device send kitchen -`;

/** The text of a command that names no device. */
function onlyText(command: Command): readonly string[] {
  const { id } = command.opts<{ readonly id?: string }>();
  if (id !== undefined || command.args.length !== 1)
    throw new UsageError("With --tag, give the text only: the tag names the devices.");
  return command.args;
}

/** The options of a delivery, without those of the settings. */
const deliveryOf = ({ nonce, title, priority, life, at }: Delivery): Delivery => ({
  ...(nonce !== undefined && { nonce }),
  ...(title !== undefined && { title }),
  ...(priority !== undefined && { priority }),
  ...(life !== undefined && { life }),
  ...(at !== undefined && { at }),
});

function defineSend(command: Command): void {
  const send = settingOptions(command.description("Send a text to a device"), clientSettings);
  deviceArguments(send, { text: "at most 2000 characters; - reads stdin" })
    .option("--tag <tag>", "send to each of your devices with this tag, instead of the ID")
    .option("--title <text>", "a title of 1 to 128 characters")
    .option("--priority <n>", "1 to 5, the most urgent; 3 is normal", readInteger(1, 5))
    .option("--life <s>", "seconds after which the text is no longer delivered", readInteger(1, 31_536_000))
    .option("--at <time>", "send the text later: ISO 8601 with an offset, or Unix milliseconds; at most 366 days ahead")
    .option("--nonce <word>", "with the same word, a repeated command sends the text only once")
    .addHelpText("after", sendHelp)
    .action(async () => {
      const { tag, id: _id, ...delivery } = command.opts<Delivery & { readonly tag?: string; readonly id?: string }>();
      const { sendToDevice, sendToTag } = await import("../../client/send.ts");
      const words = tag === undefined ? deviceWords(command) : ["", ...onlyText(command)];
      const [id = "", text = ""] = words;
      const { json = false } = commonOf(command);
      const sending = { server: await serverOf(command), json, talk: talkOf(command) };
      const chosen = deliveryOf(delivery);
      if (tag === undefined) await sendToDevice(sending, id, text, chosen);
      else await sendToTag(sending, tag, text, chosen);
    });
}

function defineSimulate(command: Command): void {
  settingOptions(command.description("Simulate devices: register, receive, print or echo"), clientSettings)
    .argument("[id]", "device ID, also as --id; with --count above 1, the IDs end with -1, -2, ... [simulated-device]")
    .option("--id <id>", "device ID, instead of the argument")
    .option("--name <name>", "name of the device; without it, an existing device keeps its name")
    .addOption(
      new Option("--mode <mode>", "how the device talks to the server").choices(["poll", "ws"]).default("poll"),
    )
    .option("--count <n>", "number of devices", readInteger(1, 10_000), 1)
    .option("--duration <s>", "seconds; otherwise until Ctrl-C", readInteger(1, 31_536_000))
    .option("--echo", "send each text back")
    .option(
      "--room <id>",
      "print the messages of one of your chat rooms, and send it what you type",
      readInteger(1, Number.MAX_SAFE_INTEGER),
    )
    .option("--mentions", "with --room, print only what mentions you")
    .option("--life <s>", "with --room, seconds after which a message is not printed", readInteger(1, 31_536_000))
    .option("--faults <list>", `some of ${faultNames.join(",")}`, readChoices("Faults", faultNames))
    .option("--seed <n>", "seed of the random faults; the same seed repeats a run", readInteger(0, 4_294_967_295))
    .addHelpText("after", help)
    .action(async (word: string | undefined, options: SimulateOptions) => {
      if (word !== undefined && options.id !== undefined)
        throw new UsageError("The device ID is given twice, also as --id.");
      await simulateDevices(command, options.id ?? word ?? "simulated-device", options);
    });
}

async function simulateDevices(command: Command, id: string, options: SimulateOptions): Promise<void> {
  const server = await serverOf(command);
  const { simulate } = await import("../../simulate/run.ts");
  const { untilStopped } = await import("../../terminal/signals.ts");
  const { json = false, verbose = false } = commonOf(command);
  const { name = null, mode, count, duration, room, mentions = false, life, echo = false, faults = [] } = options;
  const { seed = Math.floor(Math.random() * 4_294_967_296) } = options;
  const whole = await simulate(
    {
      url: server.url,
      token: server.token,
      id,
      name,
      mode,
      count,
      room: room === undefined ? null : { groupId: room, mentions, ...(life !== undefined && { life }) },
      echo,
      faults: new Set(faults),
      seed,
      json,
      verbose,
      talk: talkOf(command),
    },
    untilStopped(duration),
  );
  if (!whole) process.exitCode = 1;
}
