import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createMongoStorage } from "@telex/storage-mongo";
import type { MongoServer } from "test-support/mongo";
import { median } from "../lib/statistics.ts";
import { newDatabase } from "./servers.ts";
import { createFree } from "./share.ts";
import { processAt } from "./writes.ts";
import type { RootLoad, RootShare } from "./root-works.ts";

/** The amount to measure. */
interface Bounds {
  readonly rounds: number;
  /** Seconds of a round. */
  readonly seconds: number;
  /** Clients of all servers together. Each makes one call at a time. */
  readonly clients: number;
}

const sizes = [1, 3] as const;
const program = fileURLToPath(new URL("root-server.ts", import.meta.url));

async function startProcess(database: string): Promise<ChildProcess> {
  const child = fork(program, [database], { execArgv: ["--conditions=telex-source"] });
  await once(child, "message");
  return child;
}

function ask(child: ChildProcess, load: RootLoad): Promise<RootShare> {
  child.send(load);
  const { promise, resolve } = Promise.withResolvers<RootShare>();
  // The program answers each load with its share.
  child.once("message", (share: RootShare) => resolve(share));
  return promise;
}

/** The figures of one round. Times are in milliseconds. */
interface Round {
  readonly perSecond: number;
  readonly median: number;
  readonly p99: number;
  readonly longest: number;
  readonly failed: number;
  readonly calls: number;
}

function roundOf(shares: readonly RootShare[]): Round {
  const took = shares.flatMap((share) => share.took).toSorted((a, b) => a - b);
  const time = Math.max(...shares.map((share) => share.time));
  const failed = shares.reduce((sum, share) => sum + share.failed, 0);
  return {
    perSecond: (took.length / time) * 1000,
    median: median(took),
    p99: took[Math.floor(took.length * 0.99)] ?? Number.NaN,
    longest: took.at(-1) ?? Number.NaN,
    failed,
    calls: took.length + failed,
  };
}

/** Runs the load on this many servers simultaneously. */
async function measureRound(servers: readonly ChildProcess[], load: Omit<RootLoad, "first">): Promise<Round> {
  const clients = load.clients / servers.length;
  const shares = servers.map((server, place) => ask(server, { ...load, clients, first: place * clients }));
  return roundOf(await Promise.all(shares));
}

const loads = ["room", "device", "quota", "code", "rooms"] as const;

/** Creates the records that the clients write to. */
async function prepare(database: string, keys: number): Promise<void> {
  const storage = await createMongoStorage({ url: database });
  for (let key = 1; key <= keys; key += 1) {
    await storage.teleprinter.claimDevice({ deviceId: `printer-${key}`, owner: 7, name: "Printer", now: Date.now() });
    const code = { digest: `code-${key}`, storageId: "default", expiresAt: Date.now() + 86_400_000 };
    await storage.bucket.issueCode(code);
  }
  await storage.close();
}

const middle = (rounds: readonly Round[], name: keyof Round): number => median(rounds.map((round) => round[name]));

function lineOf(work: string, count: number, rounds: readonly Round[], single: readonly Round[]): string {
  const ratio = (name: keyof Round): string => {
    const ratios = rounds.map((round, place) => round[name] / (single[place]?.[name] ?? Number.NaN));
    return `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)}-${Math.max(...ratios).toFixed(2)})`;
  };
  const failed = rounds.reduce((sum, round) => sum + round.failed, 0);
  const calls = rounds.reduce((sum, round) => sum + round.calls, 0);
  return [
    `${work}, ${count} servers: ${middle(rounds, "perSecond").toFixed(0)}/s, ${ratio("perSecond")} times one server`,
    `median ${middle(rounds, "median").toFixed(0)} ms, p99 ${middle(rounds, "p99").toFixed(0)} ms, ${ratio("p99")} times one server`,
    `longest ${middle(rounds, "longest").toFixed(0)} ms, ${(middle(rounds, "longest") / middle(rounds, "median")).toFixed(1)} times the median`,
    `${failed} of ${calls} failed`,
  ].join("; ");
}

/** Milliseconds for which servers write to a root before a round: at the first conflict, they detect that they share it. */
const sharing = 1000;

/** Measures rounds of one workload by the number of servers. Each round has its own key, beginning after `before`. */
async function measureWork(
  all: readonly ChildProcess[],
  work: RootLoad["work"],
  before: number,
  { rounds: count, seconds, clients }: Bounds,
): Promise<Map<number, Round[]>> {
  const rounds = new Map<number, Round[]>(sizes.map((size) => [size, []]));
  const most = work === "code" ? 1 : Number.MAX_SAFE_INTEGER;
  let key = before;
  const measure = async (size: number, time: number): Promise<Round> => {
    const load = { work, key: (key += 1), clients, most };
    const servers = all.slice(0, size);
    if (work !== "code") await measureRound(servers, { ...load, time: sharing });
    return await measureRound(servers, { ...load, time });
  };
  // The first run of each workload is slow.
  for (const size of sizes) await measure(size, 1000);
  for (let round = 0; round < count; round += 1)
    for (const [size, done] of rounds) done.push(await measure(size, seconds * 1000));
  return rounds;
}

/** Starts this many servers on a database, each as a process. */
export async function startRoots(database: string, count: number) {
  const all = await Promise.all(Array.from({ length: count }, () => startProcess(database)));
  return {
    all,
    measure: (size: number, load: Omit<RootLoad, "first">): Promise<Round> => measureRound(all.slice(0, size), load),
    async end(): Promise<void> {
      for (const child of all) child.disconnect();
      await Promise.all(all.map((child) => once(child, "exit")));
    },
  };
}

/** Measures the writes of clients of one server and of three: to one room, one device, one quota, one code, and to separate rooms. */
export async function* measureRoots(mongo: MongoServer, bounds: Bounds): AsyncGenerator<string> {
  const database = newDatabase(mongo.url);
  const roots = await startRoots(database, Math.max(...sizes));
  const { all } = roots;
  const free = await createFree();
  for (const pid of [await processAt(mongo.port), process.pid, ...all.map((child) => child.pid ?? 0)])
    await free?.add(pid);
  await prepare(database, loads.length * (bounds.rounds + 1) * sizes.length);
  for (const [place, work] of loads.entries()) {
    const rounds = await measureWork(all, work, place * (bounds.rounds + 1) * sizes.length, bounds);
    for (const [size, done] of rounds) yield lineOf(work, size, done, rounds.get(1) ?? []);
  }
  await roots.end();
  await free?.remove();
}
