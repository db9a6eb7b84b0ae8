import { randomUUID } from "node:crypto";
import { availableParallelism } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type ClientConnection, openChannel } from "@telex/ws/client";
import { MongoClient } from "mongodb";
import type { MongoServer } from "test-support/mongo";
import { cpuOf, run, type Running } from "../lib/process.ts";
import { median } from "../lib/statistics.ts";
import { addCaller, addRooms, newDatabase, startServer } from "./servers.ts";
import { createFree, createGroup, type Group } from "./share.ts";
import { processAt } from "./writes.ts";

/** The amount to measure. */
interface Bounds {
  readonly rounds: number;
  /** Seconds of a round. */
  readonly seconds: number;
  /** The share of one CPU core for each server. */
  readonly share: number;
}

/** Rooms for each server. Each has one message in flight at a time. */
const rooms = 12;
/** Messages in each room before the limit applies: code that runs for the first time is slow. */
const warmMessages = 40;
/** Milliseconds without a message, to measure idle servers. */
const idleTime = 5000;
/** The numbers of servers to compare. */
const sizes = [1, 2, 3] as const;

/** A server process, and the control group that limits it. */
interface Server {
  readonly running: Running;
  readonly url: string;
  readonly pid: number;
  readonly group: Group;
}

/** A room with its speaker. */
interface Room {
  readonly groupId: number;
  readonly speaker: ClientConnection<"rooms">;
  /** The number of acknowledged messages. Each text contains its number. */
  said: number;
  /** The ids that the listener received, in order. */
  readonly heard: readonly number[];
}

/** Servers on one database. */
interface Installation {
  readonly database: string;
  readonly servers: readonly Server[];
  readonly rooms: readonly Room[];
  readonly end: () => Promise<void>;
}

const program = fileURLToPath(new URL("server.ts", import.meta.url));
const everyCore = `0-${availableParallelism() - 1}`;

async function startProcess(share: number, args: readonly string[]): Promise<Server> {
  const running = await run("--conditions=telex-source", [program, ...args], everyCore);
  const { url, pid } = running.ready;
  return { running, url: String(url), pid: Number(pid), group: await createGroup(share) };
}

/** Adds users, rooms and tokens on a server in this process, which then ends. */
async function addPeople(database: string, servers: number) {
  const telex = await startServer(database);
  const people = (count: number, name: string) =>
    Promise.all(Array.from({ length: count }, (_, number) => addCaller(telex, `${name} ${number}`)));
  const listeners = await people(servers, "listener");
  const speakers = await people(servers * rooms, "speaker");
  const made = [];
  for (const [place, speaker] of speakers.entries()) {
    // Spreads listeners evenly: each server has listeners of the same number of rooms that speak on each server.
    const listener = listeners[Math.floor(place / servers) % servers] ?? speaker;
    const [groupId = 0] = await addRooms(telex, [speaker.userId, listener.userId], 1);
    made.push({ groupId, token: speaker.token });
  }
  await telex.close();
  return { made, listeners };
}

/** Starts an installation whose clients are connected evenly to all servers. A single server needs no bus. */
async function startInstallation(mongo: string, nats: string, count: number, share: number): Promise<Installation> {
  const database = newDatabase(mongo);
  const { made, listeners } = await addPeople(database, count);
  const args = count === 1 ? [database] : [database, nats];
  const servers = await Promise.all(Array.from({ length: count }, () => startProcess(share, args)));
  const urlAt = (place: number): string => servers[place % count]?.url ?? "";
  const heard = new Map<number, number[]>(made.map(({ groupId }) => [groupId, []]));
  const open = (place: number, token: string) =>
    openChannel({
      url: urlAt(place),
      token,
      channel: "rooms",
      onEvent: ({ type, data }) => {
        if (type === "GroupMessage") heard.get(data.groupId)?.push(data.messageId);
      },
    });
  const ears = await Promise.all(listeners.map(({ token }, place) => open(place, token)));
  const all = await Promise.all(
    made.map(async ({ groupId, token }, place) => {
      const speaker = await openChannel({ url: urlAt(place), token, channel: "rooms" });
      return { groupId, speaker, said: 0, heard: heard.get(groupId) ?? [] };
    }),
  );
  return {
    database,
    servers,
    rooms: all,
    async end() {
      for (const connection of [...ears, ...all.map(({ speaker }) => speaker)]) connection.close();
      for (const { running, group } of servers) {
        await running.stop();
        await group.remove();
      }
    },
  };
}

const textOf = (number: number): string => `hello there ${number}`;

async function say(room: Room): Promise<void> {
  const { groupId, said } = room;
  const fields = { groupId, groupType: 1, message: textOf(said), nonce: randomUUID() } as const;
  await room.speaker.call("sendGroupMessage", fields);
  room.said += 1;
}

/** Sends one message after another in each room while `goesOn` returns true. */
const speak = ({ rooms: all }: Installation, goesOn: (room: Room) => boolean): Promise<unknown> =>
  Promise.all(
    all.map(async (room) => {
      while (goesOn(room)) await say(room);
    }),
  );

const saidIn = (installation: Installation): number => installation.rooms.reduce((sum, { said }) => sum + said, 0);

/** The figures of one round. Shares refer to one CPU core. */
interface Round {
  readonly perSecond: number;
  /** The CPU time of the servers as a share of their limit. */
  readonly servers: number;
  /** The share of periods in which a server reached its limit. */
  readonly exhausted: number;
  readonly database: number;
  readonly load: number;
}

/** The CPU seconds and periods so far. */
async function readUse({ servers }: Installation, database: number) {
  const { user, system } = process.cpuUsage();
  const groups = await Promise.all(servers.map(({ group }) => group.used()));
  const cpu = await Promise.all(servers.map(({ pid }) => cpuOf(pid)));
  return {
    servers: cpu.reduce((sum, one) => sum + one, 0),
    periods: groups.reduce((sum, { periods }) => sum + periods, 0),
    exhausted: groups.reduce((sum, one) => sum + one.exhausted, 0),
    database: await cpuOf(database),
    load: (user + system) / 1e6,
  };
}

async function measureRound(installation: Installation, database: number, bounds: Bounds): Promise<Round> {
  const [before, said, begun] = [await readUse(installation, database), saidIn(installation), performance.now()];
  const end = begun + bounds.seconds * 1000;
  await speak(installation, () => performance.now() < end);
  const seconds = (performance.now() - begun) / 1000;
  const after = await readUse(installation, database);
  const share = (name: keyof typeof after): number => (after[name] - before[name]) / seconds;
  return {
    perSecond: (saidIn(installation) - said) / seconds,
    servers: share("servers") / (installation.servers.length * bounds.share),
    exhausted: (after.exhausted - before.exhausted) / (after.periods - before.periods),
    database: share("database"),
    load: share("load"),
  };
}

/** @throws Error if an acknowledged message was not stored and received exactly once and in order */
async function assertComplete({ database, rooms: all }: Installation): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (all.some(({ said, heard }) => heard.length < said) && performance.now() < deadline) await delay(50);
  const client = await new MongoClient(database).connect();
  const messages = client.db().collection<{ id: number; seq: number; content: string }>("messages");
  for (const { groupId, said, heard } of all) {
    const stored = await messages.find({ groupId }, { sort: { seq: 1 } }).toArray();
    const isWhole = stored.every(
      ({ id, seq, content }, place) =>
        seq === place + 1 && content.includes(`"${textOf(place)}"`) && heard[place] === id,
    );
    if (!isWhole || stored.length !== said || heard.length !== said)
      throw new Error(
        `Room ${groupId}: ${said} said, ${stored.length} stored, ${heard.length} heard, or not in order.`,
      );
  }
  await client.close();
}

const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;
const middle = (rounds: readonly Round[], name: keyof Round): number => median(rounds.map((round) => round[name]));

function lineOf(count: number, rounds: readonly Round[], single: readonly Round[], messages: number): string {
  const ratios = rounds.map(({ perSecond }, place) => perSecond / (single[place]?.perSecond ?? Number.NaN));
  const range = `${Math.min(...ratios).toFixed(2)}-${Math.max(...ratios).toFixed(2)}`;
  return [
    `${count} servers: ${middle(rounds, "perSecond").toFixed(1)} messages/s`,
    `${median(ratios).toFixed(2)} (${range}) times one server`,
    `servers used ${percent(middle(rounds, "servers"))} of their share, and had used it up in ${percent(middle(rounds, "exhausted"))} of the periods`,
    `the database ${percent(middle(rounds, "database"))} of a core, the load ${percent(middle(rounds, "load"))}`,
    `${messages} messages, all stored and heard once and in order`,
  ].join("; ");
}

/** CPU milliseconds per second of an idle server. */
async function measureIdle(installation: Installation, database: number): Promise<number> {
  const before = await readUse(installation, database);
  await delay(idleTime);
  const after = await readUse(installation, database);
  return ((after.servers - before.servers) / installation.servers.length / idleTime) * 1e6;
}

/** Measures the messages that one, two and three servers acknowledge if each has a small share of a core, so that nothing else limits them. */
export async function* measureCarried(
  { mongo, nats }: { readonly mongo: MongoServer; readonly nats: { readonly url: string; readonly pid: number } },
  bounds: Bounds,
): AsyncGenerator<string> {
  const database = await processAt(mongo.port);
  const free = await createFree();
  if (free === null) {
    yield "what servers carry: not measured, because this user may not make control groups";
    return;
  }
  for (const pid of [database, nats.pid, process.pid]) await free.add(pid);
  const all: Installation[] = [];
  try {
    for (const count of sizes) all.push(await startInstallation(mongo.url, nats.url, count, bounds.share));
    for (const installation of all) await speak(installation, ({ said }) => said < warmMessages);
    for (const { group, pid } of all.flatMap(({ servers }) => servers)) await group.add(pid);
    for (const installation of all) {
      const idle = await measureIdle(installation, database);
      yield `${installation.servers.length} servers: each uses ${idle.toFixed(1)} ms of CPU a second when nobody says anything`;
    }
    const rounds = new Map(all.map((installation) => [installation, Array<Round>()]));
    for (let round = 0; round < bounds.rounds; round += 1)
      for (const [installation, done] of rounds) done.push(await measureRound(installation, database, bounds));
    const [single = []] = rounds.values();
    for (const [installation, done] of rounds) {
      await assertComplete(installation);
      yield lineOf(installation.servers.length, done, single, saidIn(installation));
    }
  } finally {
    for (const installation of all) await installation.end();
    await free.remove();
  }
}
