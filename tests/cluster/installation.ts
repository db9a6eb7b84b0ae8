import { setTimeout as delay } from "node:timers/promises";
import { folder } from "test-support/command";
import { createApi } from "../crash/support/api.ts";
import { checkEach, untilOnline } from "./calm.ts";
import { connect, connectMqtt, feed, missingTexts, mix, poll } from "./devices.ts";
import { storeFiles } from "./files.ts";
import { checkToldOfKill, follow } from "./follow.ts";
import { createGround, openOperator } from "./ground.ts";
import type { Cluster, Recoveries } from "./kills.ts";
import { createDatabase, createNats, createServers, type ServerNode, startBalancer } from "./nodes.ts";
import { ask } from "./replies.ts";
import { checkListener, isComplete, listen, type Listener, read, speak } from "./rooms.ts";
import { retryPause, type Place, type Run, times } from "./run.ts";
import { revoke } from "./tokens.ts";

/** The kinds of bus: a cluster of NATS, or change streams of the database. */
export const buses = ["nats", "mongodb"] as const;
export type BusName = (typeof buses)[number];

export const say = (line: string): void => void process.stdout.write(`${line}\n`);

/**
 * Milliseconds in which everything must arrive at the end: more than all leases together. Each server is asked for everything, which
 * grows with the run.
 */
const maxEndTime = (run: Run): number => 180_000 + run.length / 5;

/** Waits for a part of the end. A part that takes too long is a problem. */
async function inTime(run: Run, what: string, part: Promise<unknown>): Promise<void> {
  const late = delay(maxEndTime(run), "late" as const, { ref: false });
  if ((await Promise.race([part, late])) === "late") run.problems.push(`${what} did not end`);
}

function report({ counts, rooms, printers, files, replies }: Run, recoveries: Recoveries): void {
  for (const [kind, { done, failed }] of counts) say(`  ${kind}: ${done} done, ${failed} failed`);
  for (const { texts } of [...rooms, ...printers]) say(`  ${texts.name}: ${texts.acknowledged} texts`);
  say(`  ${files.length} files, ${replies.answered.length} replies of ${replies.asked.size}`);
  for (const [kind, taken] of recoveries) {
    const sorted = taken.toSorted((a, b) => a - b).map((time) => (time / 1000).toFixed(1));
    say(
      `  after a kill of ${kind}: ${sorted[Math.floor(sorted.length / 2)]} s, at most ${sorted.at(-1)} s (${taken.length})`,
    );
  }
}

/** Clients that work until the run is over, and clients that run until they have received everything. */
function startClients(run: Run, people: Readonly<Record<"alice" | "bob" | "carol", Run["people"][number]>>) {
  const { alice, bob, carol } = people;
  const listeners = [alice, bob, carol, bob].map((who, index) => listen(run, who, `listener ${index + 1}`, 1));
  const [first, second] = listeners;
  const [polls, connects, mqtts, mixes] = run.printers;
  if (first === undefined || second === undefined) throw new Error("Nobody listens.");
  if (!polls || !connects || !mqtts || !mixes) throw new Error("A device is missing.");
  const feeding = run.printers.map((printer) => feed(run, alice, printer));
  const sent = { isAll: false };
  void Promise.all(feeding).then(() => (sent.isAll = true));
  const isFed = (): boolean =>
    sent.isAll && run.printers.every(({ texts, received }) => received.size >= texts.acknowledged);
  const speaking = [speak(run, alice, "alice"), speak(run, bob, "bob"), speak(run, carol, "carol")];
  const working = [
    ...speaking,
    ...feeding,
    read(run, alice, first),
    read(run, bob, second),
    ask(run, alice, "alice"),
    ...times(3, (index) => follow(run, alice, `alice ${index + 1}`)),
    storeFiles(run, alice),
  ];
  const devices = [
    poll(run, alice, polls, isFed),
    connect(run, alice, connects, isFed),
    connectMqtt(run, alice, mqtts, isFed),
    mix(run, alice, mixes, isFed),
  ];
  const isHeard = (): boolean => listeners.every((listener) => isComplete(run, listener));
  return {
    listeners,
    speakers: speaking.length,
    worked: Promise.all(working),
    received: Promise.all(devices),
    async untilHeard(): Promise<void> {
      while (!isHeard()) await retryPause();
    },
  };
}

/** After the last kill: waits until everything has ended, and all servers agree. */
async function settle(run: Run, clients: ReturnType<typeof startClients>, calm: () => Promise<void>): Promise<void> {
  run.isOver = true;
  await inTime(run, "what clients had begun", clients.worked);
  await inTime(run, "what devices receive", clients.received);
  run.problems.push(...missingTexts(run));
  await inTime(run, "what is said in rooms", clients.untilHeard());
  if (run.problems.length === 0) await inTime(run, "what each server answers", calm());
  for (const listener of clients.listeners) listener.close();
  for (const listener of clients.listeners) checkListener(run, listener);
}

/** Waits for correct presence: users of a killed server, and users who leave, are offline on every server. */
async function checkPresence(run: Run, { servers }: Cluster, listeners: readonly Listener[]): Promise<void> {
  const { places } = run;
  const [alice] = run.people;
  const [victim] = servers;
  if (alice === undefined || victim === undefined) throw new Error("Somebody is missing.");
  await untilOnline(run, places, alice, "Alice Bob Carol");
  for (const listener of listeners) listener.close();
  await untilOnline(run, places, alice, "");
  // A replay of a long run would announce a gap.
  const newest = Math.max(
    1,
    ...listeners.flatMap(({ known }) => [...known.values()].flatMap((room) => [...room.keys()])),
  );
  const onVictim = listen({ ...run, url: places[0]?.url ?? "" }, alice, "listener of the killed server", newest);
  await untilOnline(run, places, alice, "Alice");
  const told = await checkToldOfKill(run, places, alice, () => victim.kill());
  say(`  the reader of a reply was told ${(told / 1000).toFixed(1)} s after its server was killed`);
  await untilOnline(run, places.slice(1), alice, "");
  onVictim.close();
}

const placeOf = ({ name, port }: ServerNode): Place => {
  const url = `http://127.0.0.1:${port}`;
  return { name, url, api: (token) => createApi(url, token) };
};

/** Three servers and their shared services, behind a load balancer. */
async function createCluster(bus: BusName, program: () => string) {
  const place = await folder();
  const database = await createDatabase(place);
  const nats = bus === "nats" ? await createNats() : [];
  const url = `mongodb://127.0.0.1:${database.port}/telex`;
  const servers = await createServers({
    database: url,
    nats: nats.map(({ port }) => `nats://127.0.0.1:${port}`),
    program,
  });
  const balancer = await startBalancer(place, servers);
  const telex = await openOperator(url);
  return {
    database,
    nats,
    servers,
    balancer,
    telex,
    async end(): Promise<void> {
      await telex.close();
      await Promise.all([...servers, ...nats, database].map((node) => node.kill()));
      await balancer.stop();
    },
  };
}

interface Settings extends Pick<Run, "random" | "isOneVersion" | "pace" | "length"> {
  readonly bus: BusName;
  /** The bundle of the version that a server starts as. */
  readonly program: () => string;
}

/**
 * Lets clients work on three servers while `disturbance` runs. Returns the problems.
 * @param disturbance gets the number of clients that speak in rooms
 */
export async function disturb(
  { bus, program, ...settings }: Settings,
  disturbance: (run: Run, cluster: Cluster, speakers: number) => Promise<Recoveries>,
): Promise<readonly string[]> {
  const cluster = await createCluster(bus, program);
  const { servers, telex, balancer } = cluster;
  try {
    const ground = await createGround(telex);
    const places = servers.map(placeOf);
    const state = { isOver: false, counts: new Map(), problems: [] };
    const run: Run = { ...ground, url: balancer.url, places, ...settings, ...state };
    const [alice, bob, carol, dave] = run.people;
    if (alice === undefined || bob === undefined || carol === undefined || dave === undefined) {
      throw new Error("Somebody is missing.");
    }
    const clients = startClients(run, { alice, bob, carol });
    const revoking = revoke(run, telex, dave);
    const recoveries = await disturbance(run, cluster, clients.speakers);
    await delay(1000);
    await settle(run, { ...clients, worked: Promise.all([clients.worked, revoking]).then(() => []) }, async () => {
      await checkEach(run, telex);
      await checkPresence(run, cluster, clients.listeners);
    });
    report(run, recoveries);
    return run.problems;
  } finally {
    await cluster.end();
  }
}
