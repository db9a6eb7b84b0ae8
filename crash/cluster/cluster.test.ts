import { setTimeout as delay } from "node:timers/promises";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folder } from "test-support/command";
import { createRandom, type Random } from "test-support/random";
import { connect, feed, listen, type Listener, poll, type Run, speak } from "./clients.ts";
import { createGround } from "./ground.ts";
import { createDatabase, createNats, createServers, type Node, startBalancer } from "./nodes.ts";

const { TELEX_CLUSTER_SEED, TELEX_CLUSTER_KILLS } = process.env;
const seed = Number(TELEX_CLUSTER_SEED ?? Math.floor(Math.random() * 2 ** 32));
/** `npm run test:cluster` kills a few; TELEX_CLUSTER_KILLS=100 takes at least a quarter of an hour. */
const kills = Number(TELEX_CLUSTER_KILLS ?? 8);

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Milliseconds in which everything must have come after the last kill: more than all leases together. */
const longestEnd = 180_000;

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await delay(20);
}

/** Waits until the clients have ended. What has not come then is a problem. */
async function settle({ problems, printers, rooms }: Run, listeners: readonly Listener[], clients: Promise<unknown>) {
  const late = delay(longestEnd, "late" as const, { ref: false });
  if ((await Promise.race([clients, late])) !== "late") return;
  problems.push("not everything comes to its end");
  for (const { texts, received } of printers) problems.push(`${texts.name}: ${received.size} of ${texts.acknowledged}`);
  for (const { name, known } of listeners) {
    for (const { groupId, texts } of rooms) {
      problems.push(`${name}, ${texts.name}: ${known.get(groupId)?.size ?? 0} of ${texts.acknowledged}`);
    }
  }
}

interface Cluster {
  readonly servers: readonly Node[];
  readonly database: Node;
  readonly nats: readonly Node[];
}

/** Every fourth kill is one of NATS, every eighth one of the database; the others are servers. */
function victimOf({ servers, database, nats }: Cluster, round: number, random: Random): Node {
  const choose = (nodes: readonly Node[]): Node => nodes[Math.floor(random.next() * nodes.length)] ?? database;
  if (round % 8 === 5) return database;
  return round % 4 === 2 ? choose(nats) : choose(servers);
}

async function killAll(cluster: Cluster, random: Random): Promise<void> {
  for (let round = 0; round < kills; round += 1) {
    await delay(200 + random.next() * 800);
    const victim = victimOf(cluster, round, random);
    await victim.kill();
    await delay(random.next() * 500);
    await victim.start();
    say(`  killed ${victim.name}`);
  }
}

/** True when a client knows everything that was acknowledged. */
const isComplete = ({ rooms }: Run, { known }: Listener): boolean =>
  rooms.every(({ groupId, texts }) => (known.get(groupId)?.size ?? 0) >= texts.acknowledged);

function checkListener({ rooms, problems }: Run, { name, known }: Listener): void {
  for (const { groupId, texts } of rooms) {
    const heard = [...(known.get(groupId) ?? [])].map(([id, word]) => ({ id, word })).toSorted((a, b) => a.id - b.id);
    problems.push(
      ...(texts.newest === 0 ? texts.observe(heard) : texts.compare(heard)).map((one) => `${name}: ${one}`),
    );
  }
}

function report({ counts, rooms, printers }: Run): void {
  say(`cluster test: seed ${seed}, ${kills} kills`);
  for (const [kind, { done, failed }] of counts) say(`  ${kind}: ${done} done, ${failed} failed`);
  for (const { texts } of [...rooms, ...printers]) say(`  ${texts.name}: ${texts.acknowledged} texts`);
}

it(
  `loses and doubles nothing over ${kills} kills of servers, the database and NATS`,
  { timeout: 300_000 + kills * 30_000 },
  async () => {
    say(`cluster test: seed ${seed}`);
    const random = createRandom(seed);
    const place = await folder();
    await mkdir(join(place, "files"));
    const database = await createDatabase(place);
    const nats = await createNats();
    const shared = {
      folder: place,
      database: `mongodb://127.0.0.1:${database.port}/telex`,
      nats: nats.map(({ port }) => `nats://127.0.0.1:${port}`),
    };
    const ground = await createGround(shared.database);
    const servers = await createServers(shared, 3);
    const balancer = await startBalancer(place, servers);
    const run: Run = { ...ground, url: balancer.url, random, isOver: false, counts: new Map(), problems: [] };
    const [alice, bob, carol] = run.people;
    const [polls, connects] = run.printers;
    if (alice === undefined || bob === undefined || carol === undefined) throw new Error("Somebody is missing.");
    if (polls === undefined || connects === undefined) throw new Error("A device is missing.");
    try {
      const listeners = [alice, bob, carol, bob].map((who, index) => listen(run, who, `listener ${index + 1}`, 1));
      const isFed = (): boolean =>
        run.isOver && run.printers.every(({ texts, received }) => received.size >= texts.acknowledged);
      const speaking = [speak(run, alice, "alice"), speak(run, bob, "bob"), speak(run, carol, "carol")];
      const feeding = run.printers.map((printer) => feed(run, alice, printer));
      const devices = [poll(run, alice, polls, isFed), connect(run, alice, connects, isFed)];
      await killAll({ servers, database, nats }, random);
      await delay(1000);
      run.isOver = true;
      const isHeard = (): boolean => listeners.every((listener) => isComplete(run, listener));
      const clients = Promise.all([...speaking, ...feeding]).then(() => Promise.all([...devices, until(isHeard)]));
      await settle(run, listeners, clients);
      for (const listener of listeners) listener.close();
      for (const listener of listeners) checkListener(run, listener);
      report(run);
      expect(run.problems, `seed ${seed}`).toEqual([]);
    } finally {
      await Promise.all([...servers, ...nats, database].map((node) => node.kill()));
      await balancer.stop();
    }
  },
);
