import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Calls, callsTo } from "../client/with-client.ts";
import { Failure } from "../errors/errors.ts";
import { printFields, printJsonLine } from "../terminal/output.ts";
import { inMs } from "../simulate/figures.ts";
import { createRandom, type Random } from "@telex/conformance/testing";
import type { Talk } from "../terminal/talk.ts";
import { newestOf, type SendOutcome, sendToRoom, type SimulatedRoom, textsAfter } from "./client.ts";
import { type BotConnection, connectBot } from "./connect.ts";
import { type BotFault, createBotFaults } from "./faults.ts";
import { type BotFigures, type BotRecord, compareBot, sumUpBot } from "./figures.ts";
import { createNetwork, type Network } from "./network.ts";

/** Number of simultaneous clients. */
const clients = 2;
/** Maximum milliseconds between two messages of one person or client. */
const longestPause = 60;
/** Maximum milliseconds from the end of the faults until everything has arrived. Telex may wait a minute before it reconnects. */
const settleTime = 90_000;
const settlePause = 200;

export interface BotSimulation extends BotConnection {
  readonly token: string;
  readonly room: SimulatedRoom;
  /** The ID of the group in the network. */
  readonly ext: string;
  /** Messages in each direction. */
  readonly count: number;
  readonly faults: ReadonlySet<BotFault>;
  readonly seed: number;
  readonly json: boolean;
  readonly talk: Talk;
}

interface Run extends Pick<BotSimulation, "room" | "count"> {
  readonly call: Calls;
  readonly network: Network;
  readonly random: Random;
  readonly stop: AbortSignal;
  /** The prefix of the texts and nonces of this run. */
  readonly name: string;
}

const pauseOf = async (random: Random): Promise<void> => await sleep(random.next() * longestPause);

/** Sends messages of people of the network. Returns their texts. */
async function speak({ network, random, stop, count, name }: Run): Promise<string[]> {
  const said: string[] = [];
  for (let number = 1; number <= count && !stop.aborted; number += 1) {
    await network.rest();
    const text = `${name} person ${number}`;
    said.push(text);
    network.say(text);
    await pauseOf(random);
  }
  return said;
}

/** Sends messages of clients to the room, in order for each client. */
async function send({ call, room, random, stop, count, name }: Run) {
  const sends = new Map<string, SendOutcome>();
  const latencies: number[] = [];
  let number = 0;
  const client = async (): Promise<void> => {
    while (number < count && !stop.aborted) {
      number += 1;
      const text = `${name} client ${number}`;
      const began = performance.now();
      const outcome = await sendToRoom(call, room, text, `${name}-${number}`);
      sends.set(text, outcome);
      if (outcome === "sent") latencies.push(Math.round(performance.now() - began));
      await pauseOf(random);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return { sends, latencies };
}

/** Reads the room until it is complete, or until the time limit. */
async function settle({ call, room, network }: Run, done: Omit<BotRecord, "stored" | "taken">, since: number) {
  const end = Date.now() + settleTime;
  for (;;) {
    const isLast = Date.now() >= end;
    const isRead = network.push.isEmpty;
    const record = { ...done, taken: network.taken, stored: await textsAfter(call, room, since) };
    const problems = compareBot(record);
    const isMissing = problems.some(({ kind }) => kind === "lost");
    if (isLast || (isRead && !isMissing)) return { record, problems };
    await sleep(settlePause);
  }
}

async function play(run: Run, faults: { end(): void }, since: number) {
  const [said, { sends, latencies }] = await Promise.all([speak(run), send(run)]);
  faults.end();
  // Telex handles the events of a room in order, so when this one is stored, all others have been handled.
  const last = `${run.name} person last`;
  run.network.say(last);
  return { ...(await settle(run, { sends, said: [...said, last] }, since)), latencies };
}

const aborted = async (signal: AbortSignal): Promise<void> =>
  await new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });

/**
 * Runs a network with a bot, its people and clients of the server, and prints the figures. Returns true if no message was lost or
 * doubled.
 * @throws Failure if the server rejects the token, the room, or the bot, or does not respond
 */
export async function simulateBot(simulation: BotSimulation, stop: AbortSignal): Promise<boolean> {
  const { url, token, room, ext, version, talk, seed } = simulation;
  const random = createRandom(seed);
  const faults = createBotFaults(simulation.faults, random.fork(0));
  const network = createNetwork({ version, group: ext, isHttp: simulation.http !== null, faults });
  const call = callsTo({ url, token });
  const since = await newestOf(call, room);
  const end = new AbortController();
  try {
    const line = await connectBot(simulation, network, (address) => tellAddress(simulation, address), end.signal);
    await Promise.race([line.first, aborted(stop)]);
    if (line.count() === 0)
      throw new Failure("no_connection", "The run was stopped before Telex connected to the bot.");
    talk.done(greeting(simulation));
    const name = randomBytes(4).toString("hex");
    const run: Run = {
      ...simulation,
      call,
      network,
      random: random.fork(1),
      stop: AbortSignal.any([stop, end.signal]),
      name,
    };
    const { record, problems, latencies } = await play(run, faults, since);
    for (const { kind, text, network: taken, room: stored } of problems)
      talk.warn(`${kind}: "${text}" is ${taken} times in the network, and ${stored} times in the room.`);
    printFigures(sumUpBot(record, problems, { version, connections: line.count(), latencies }), simulation);
    return problems.length === 0;
  } finally {
    end.abort();
  }
}

function tellAddress({ json, talk }: BotSimulation, address: string): void {
  if (json) printJsonLine({ listening: address });
  else
    talk.note(`The bot waits for Telex at ${address}. Add its account: telex bot add <account> --connect ${address}`);
}

function greeting({ version, url, count, faults, seed }: BotSimulation): string {
  const how = faults.size === 0 ? "" : `, with faults: ${[...faults].join(", ")} (seed ${seed})`;
  return `A bot that speaks OneBot ${version} is connected to ${url}: ${count} messages in each direction${how}.`;
}

function printFigures(figures: BotFigures, { json }: BotSimulation): void {
  if (json) return printJsonLine(figures);
  const { latencyMs, version, ...counts } = figures;
  printFields({ OneBot: version, ...counts, "latency p50": inMs(latencyMs.p50), "latency p99": inMs(latencyMs.p99) });
}
