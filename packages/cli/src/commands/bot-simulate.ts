import { InvalidArgumentError } from "commander";
import type { Command } from "commander";
import { clientSettings, commonOf, settingOptions, talkOf } from "../options/command.ts";
import { serverOf } from "../client/server.ts";
import { readChoice, readChoices, readInteger } from "../options/read.ts";
import type { BotFault } from "../simulate-bot/faults.ts";

const help = `
The bot connects to the server (reverse WebSocket), or waits for it with --listen (forward WebSocket). With
--http it waits for requests, and posts the events of the account. People of its network
send messages to the group, and clients send messages to the room over HTTP, with the token of a member of the room. Then the network and the room are
compared. No message may be lost or duplicated: otherwise the exit code is 1.

Faults: slow delays answers, drop-before breaks the connection before an action, drop-after breaks it after the action and before
its response, dup sends events twice, offline signs the account out for up to 1 s, and malformed sends meaningless frames.

With --json, the last line contains the statistics. With --listen or --http, the first line contains the address.

Examples:
  $ telex bot simulate --secret $SECRET --token $TOKEN --room 1 --ext 500
  $ telex bot simulate --secret $SECRET --token $TOKEN --room 1 --ext 500 --protocol 12 --listen 6700 --faults drop-after,dup
  $ telex bot simulate --secret $SECRET --token $TOKEN --room 1 --ext 500 --http simulated --listen 5700`;

const faultNames: readonly BotFault[] = ["slow", "drop-before", "drop-after", "dup", "offline", "malformed"];

interface Listen {
  readonly host: string;
  readonly port: number;
}

function readListen(written: string): Listen {
  const [, host = "127.0.0.1", digits = ""] = /^(?:(.+):)?(\d{1,5})$/.exec(written) ?? [];
  const port = digits === "" ? Number.NaN : Number(digits);
  if (!(port <= 65_535)) throw new InvalidArgumentError("It must be a port, or an address such as 0.0.0.0:6700.");
  return { host, port };
}

interface SimulateOptions {
  readonly secret: string;
  readonly room: number;
  readonly type: 0 | 4;
  readonly ext: string;
  readonly protocol: 11 | 12;
  readonly listen?: Listen;
  readonly http?: string;
  readonly count: number;
  readonly faults?: readonly BotFault[];
  readonly seed?: number;
}

export function defineBotSimulate(command: Command): void {
  const description = "Simulate a network with a bot, and check that nothing is lost or duplicated";
  settingOptions(command.description(description), clientSettings)
    .requiredOption("--secret <text>", 'secret of the account; "none" if it has none')
    .requiredOption("--room <id>", "chat room of a group of the network", readInteger(1, Number.MAX_SAFE_INTEGER))
    .option("--type <code>", "type of the room: 0 or 4", readChoice([0, 4]), 4)
    .requiredOption("--ext <id>", "ID of the group in the network, in digits", readExt)
    .option("--protocol <version>", "version of OneBot: 11 or 12", readChoice([11, 12]), 11)
    .option("--listen <address>", "wait for the server at this port, or <host>:<port>; 0: any port", readListen)
    .option("--http <account>", "speak HTTP instead of WebSocket, and post the events of this account")
    .option("--count <n>", "messages in each direction", readInteger(1, 100_000), 20)
    .option("--faults <list>", `some of ${faultNames.join(",")}`, readChoices("Faults", faultNames))
    .option("--seed <n>", "seed of the random faults", readInteger(0, 4_294_967_295))
    .addHelpText("after", help)
    .action((options: SimulateOptions) => simulate(command, options));
}

function readExt(written: string): string {
  // The IDs of OneBot 11 are numbers.
  if (!/^[1-9]\d{0,14}$/.test(written)) throw new InvalidArgumentError("It must be a number of up to 15 digits.");
  return written;
}

async function simulate(command: Command, options: SimulateOptions): Promise<void> {
  const server = await serverOf(command);
  const { simulateBot } = await import("../simulate-bot/run.ts");
  const { untilStopped } = await import("../terminal/signals.ts");
  const { secret, room, type, ext, protocol, listen = null, http = null, count, faults = [] } = options;
  const { seed = Math.floor(Math.random() * 4_294_967_296) } = options;
  const isWhole = await simulateBot(
    {
      url: server.url,
      token: server.token,
      ext,
      count,
      secret: secret === "none" ? "" : secret,
      room: { groupId: String(room), groupType: type },
      version: protocol,
      listen,
      http,
      faults: new Set(faults),
      seed,
      json: commonOf(command).json === true,
      talk: talkOf(command),
    },
    untilStopped(),
  );
  if (!isWhole) process.exitCode = 1;
}
