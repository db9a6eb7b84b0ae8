import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, inject, it } from "vitest";
import { folder } from "test-support/command";
import { sampleOf } from "test-support/every";
import { createRandom, type Random } from "@telex/conformance/testing";
import { createApi } from "../crash/support/api.ts";
import { checkEach, untilOnline } from "./calm.ts";
import { connect, connectMqtt, feed, missingTexts, mix, poll } from "./devices.ts";
import { storeFiles } from "./files.ts";
import { checkToldOfKill, follow } from "./follow.ts";
import { createGround, openOperator } from "./ground.ts";
import { type Cluster, killAll, type Recoveries } from "./kills.ts";
import { createDatabase, createNats, createServers, type ServerNode, startBalancer } from "./nodes.ts";
import { ask } from "./replies.ts";
import { checkListener, isComplete, listen, type Listener, read, speak } from "./rooms.ts";
import { patience, type Place, type Run, times } from "./run.ts";
import { revoke } from "./tokens.ts";

const { TELEX_CLUSTER_SEED, TELEX_CLUSTER_KILLS, TELEX_CLUSTER_BUS } = process.env;
const seed = Number(TELEX_CLUSTER_SEED ?? Math.floor(Math.random() * 2 ** 32));
/** The number of kills with each bus. `npm test -- cluster` makes a few; TELEX_CLUSTER_KILLS=100 takes at least a quarter of an hour. */
const kills = Number(TELEX_CLUSTER_KILLS ?? 4);

/** The kinds of bus: a cluster of NATS, or change streams of the database. */
const buses = ["nats", "mongodb"] as const;
type BusName = (typeof buses)[number];
/** TELEX_CLUSTER_BUS selects one of them. CI has time for the first one. */
const tested = sampleOf(buses.filter((bus) => bus === (TELEX_CLUSTER_BUS ?? bus)));

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/**
 * Milliseconds in which everything must arrive after the last kill: more than all leases together. At the end, each server is asked for everything, which
 * grows with the run.
 */
const longestEnd = 180_000 + kills * 4000;

/** Waits for a part of the end. A part that takes too long is a problem. */
async function inTime(run: Run, what: string, part: Promise<unknown>): Promise<void> {
  const late = delay(longestEnd, "late" as const, { ref: false });
  if ((await Promise.race([part, late])) === "late") run.problems.push(`${what} did not come to an end`);
}

/**
 * The version that a server starts as. Over NATS, it is first the older one, then either, and finally the newer one. Over change
 * streams, it is always the newer one, so that each server can continue the replies of the others, which the older version cannot do.
 */
function createRollout(random: Random, bus: BusName) {
  const newer = inject("newer");
  const older = bus === "nats" ? (inject("older") ?? newer) : newer;
  let share = 0;
  return {
    newer,
    isOneVersion: older === newer,
    /** Sets the progress of the test, 0 to 1. */
    advance: (to: number) => void (share = to),
    program: () => (share > 0.8 || (share > 0 && random.chance(0.5)) ? newer : older),
  };
}

/** Updates the remaining older servers one after another while clients continue. */
async function updateAll(servers: readonly ServerNode[], newer: string): Promise<number> {
  const left = servers.filter((server) => server.version() !== newer);
  for (const server of left) {
    await server.stop();
    await server.start();
  }
  return left.length;
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

/** Clients that work until the run is over, and clients that wait until everything has arrived. */
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
      while (!isHeard()) await patience();
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
  const onVictim = listen({ ...run, url: places[0]?.url ?? "" }, alice, "listener of the killed server", 1);
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

describe.each(tested)("over %s", (bus) => {
  it(`loses and doubles nothing over ${kills} kills`, { timeout: 400_000 + kills * 40_000 }, async () => {
    say(`cluster test over ${bus}: seed ${seed}, ${kills} kills`);
    const random = createRandom(seed);
    const rollout = createRollout(random.fork(1), bus);
    const cluster = await createCluster(bus, rollout.program);
    const { servers, telex } = cluster;
    const run: Run = {
      ...(await createGround(telex)),
      url: cluster.balancer.url,
      places: servers.map(placeOf),
      random,
      isOver: false,
      isOneVersion: rollout.isOneVersion,
      counts: new Map(),
      problems: [],
    };
    const [alice, bob, carol, dave] = run.people;
    if (alice === undefined || bob === undefined || carol === undefined || dave === undefined) {
      throw new Error("Somebody is missing.");
    }
    try {
      const clients = startClients(run, { alice, bob, carol });
      const revoking = revoke(run, telex, dave);
      const onKill = (round: number): void => rollout.advance((round + 1) / kills);
      const recoveries = await killAll(run, cluster, { kills, speakers: clients.speakers, onKill });
      say(`  updated ${await updateAll(servers, rollout.newer)} servers that were still of the older version`);
      await delay(1000);
      await settle(run, { ...clients, worked: Promise.all([clients.worked, revoking]).then(() => []) }, async () => {
        await checkEach(run, telex);
        await checkPresence(run, cluster, clients.listeners);
      });
      report(run, recoveries);
      expect(run.problems, `seed ${seed}`).toEqual([]);
    } finally {
      await cluster.end();
    }
  });
});
