import { setTimeout as delay } from "node:timers/promises";
import { operator, type Telex } from "@telex/core";
import { folder } from "test-support/command";
import { sampleOf } from "test-support/every";
import { at, parse } from "test-support/json";
import { createRandom, type Random } from "@telex/conformance/testing";
import { describe, expect, inject, it } from "vitest";
import { codeOf, openSocket } from "../crash/support/socket.ts";
import { Bot, type Shown } from "./bots.ts";
import { openOperator } from "./ground.ts";
import { createDatabase, createNats, createServers, type Node, startBalancer } from "./nodes.ts";

const { TELEX_CLUSTER_SEED, TELEX_CLUSTER_KILLS, TELEX_CLUSTER_BUS } = process.env;
const seed = Number(TELEX_CLUSTER_SEED ?? Math.floor(Math.random() * 2 ** 32));
const kills = Number(TELEX_CLUSTER_KILLS ?? 4);
const buses = ["nats", "mongodb"] as const;
/** TELEX_CLUSTER_BUS selects one of them. CI has time for the first one. */
const tested = sampleOf(buses.filter((bus) => bus === (TELEX_CLUSTER_BUS ?? bus)));

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** The number of messages sent over one connection without a pause. */
const batchSize = 3;
/** Milliseconds after which a waiting message of a killed server may be lost. */
const waitingLife = 15_000;
/**
 * Milliseconds after which a client gives up a text with an unknown outcome, because its server was killed while it sent the text. The network
 * may never get it. Otherwise the bot shows it later, and it must be stored then.
 */
const unknownTime = 60_000;
/** Maximum milliseconds until everything is answered after the last kill. */
const maxEndTime = 180_000;

/** A text that a client sends until it is acknowledged. */
interface Outgoing {
  readonly text: string;
  readonly begun: number;
  /** True if it was refused at least once: a later text may then come first. */
  isRefused: boolean;
  isAcknowledged: boolean;
  /** The time since which its outcome is unknown (Unix milliseconds), or null. */
  unknownSince: number | null;
}

interface Room {
  readonly groupId: number;
  readonly ext: string;
  readonly bot: Bot;
  readonly batches: Outgoing[][];
}

interface Run {
  readonly url: string;
  readonly token: string;
  readonly random: Random;
  isOver: boolean;
  /** Answers by their codes. */
  readonly codes: Map<string, number>;
}

const isGivenUp = ({ unknownSince }: Outgoing): boolean =>
  unknownSince !== null && Date.now() - unknownSince > unknownTime;

const isOpen = (outgoing: Outgoing): boolean => !outgoing.isAcknowledged && !isGivenUp(outgoing);

/** Sends the rest of a batch over one connection. */
async function attempt(run: Run, { groupId }: Room, batch: readonly Outgoing[]): Promise<void> {
  const socket = await openSocket({ url: run.url, token: run.token, channel: "rooms" });
  if (socket === null) return delay(100);
  const rest = batch.filter(isOpen);
  await Promise.all(
    rest.map(async (outgoing) => {
      const fields = { groupId, groupType: 4, message: outgoing.text, nonce: outgoing.text } as const;
      const code = await codeOf(socket.call("sendGroupMessage", fields));
      run.codes.set(String(code), (run.codes.get(String(code)) ?? 0) + 1);
      if (code === 200) outgoing.isAcknowledged = true;
      else if (code === 500) outgoing.unknownSince ??= Date.now();
      else if (code !== null) outgoing.isRefused = true;
    }),
  );
  socket.close();
}

async function speak(run: Run, room: Room): Promise<void> {
  for (let number = 1; !run.isOver; number += 1) {
    const batch = Array.from({ length: batchSize }, (_, index): Outgoing => {
      const text = `${room.ext} ${number} ${index}`;
      return { text, begun: Date.now(), isRefused: false, isAcknowledged: false, unknownSince: null };
    });
    room.batches.push(batch);
    while (batch.some(isOpen)) {
      await attempt(run, room, batch);
      await delay(run.random.next() * 100);
    }
  }
}

/** Pairs of a batch that the network has in the other order although the first one was not refused and cannot have expired. */
function crossed(batch: readonly Outgoing[], messages: readonly Shown[]): string[] {
  const positions = new Map(messages.map(({ text }, index) => [text, index]));
  return batch.slice(1).flatMap((later, index) => {
    const earlier = batch[index];
    if (earlier === undefined || earlier.isRefused) return [];
    const [first = -1, second = Infinity] = [positions.get(earlier.text), positions.get(later.text)];
    const isExpired = ((messages[first]?.time ?? 0) + 1) * 1000 - earlier.begun > waitingLife;
    return first > second && !isExpired ? [`"${later.text}" came before "${earlier.text}"`] : [];
  });
}

const doubled = (texts: readonly string[]): string[] => texts.filter((text, index) => texts.indexOf(text) !== index);

/** The faults of a room after the last kill. */
async function problemsOf(telex: Telex, token: string, { groupId, ext, bot, batches }: Room): Promise<string[]> {
  const messages = bot.messages.filter(({ group }) => group === ext);
  const caller = await telex.authenticate(token);
  const stored: string[] = [];
  for (let cursor: number | undefined; ;) {
    const page = await telex.messages.history(caller, {
      groupId,
      groupType: 4,
      pageSize: 100,
      ...(cursor !== undefined && { cursor }),
    });
    stored.unshift(
      ...page.groupMessages.toReversed().map(({ content }) => String(at(parse(content), 0, "text", "text"))),
    );
    const oldest = page.groupMessages.at(-1);
    if (oldest === undefined || page.groupMessages.length < 100) break;
    cursor = Number(oldest.id);
  }
  const texts = messages.map(({ text }) => text);
  const acknowledged = batches.flat().filter(({ isAcknowledged }) => isAcknowledged);
  return [
    ...doubled(texts).map((text) => `the network has "${text}" twice`),
    ...doubled(stored).map((text) => `"${text}" is stored twice`),
    ...acknowledged.flatMap(({ text }) => (texts.includes(text) ? [] : [`the network does not have "${text}"`])),
    ...acknowledged.flatMap(({ text }) => (stored.includes(text) ? [] : [`"${text}" is not stored`])),
    ...batches
      .flat()
      .filter((outgoing) => !outgoing.isAcknowledged)
      .filter((outgoing) => !isGivenUp(outgoing) || (texts.includes(outgoing.text) && !stored.includes(outgoing.text)))
      .map(({ text, begun }) => {
        const state = [texts, stored].map((list) => list.includes(text)).join(", stored ");
        return `"${text}" of ${new Date(begun).toISOString()} was not acknowledged: in the network ${state}`;
      }),
    ...batches.flatMap((batch) => crossed(batch, messages)),
  ];
}

const victimOf = (round: number, random: Random, servers: readonly Node[], nats: readonly Node[]): Node | undefined =>
  (round % 4 === 2 && nats.length > 0 ? nats : servers)[Math.floor(random.next() * 3)];

describe.each(tested)("bots over %s", (bus) => {
  it(`loses and doubles nothing over ${kills} kills`, { timeout: 400_000 + kills * 40_000 }, async () => {
    say(`bots over ${bus}: seed ${seed}, ${kills} kills`);
    const random = createRandom(seed);
    const dataFolder = await folder();
    const database = await createDatabase(dataFolder);
    const nats = bus === "nats" ? await createNats() : [];
    const url = `mongodb://127.0.0.1:${database.port}/telex`;
    const addresses = nats.map(({ port }) => `nats://127.0.0.1:${port}`);
    const servers = await createServers({ database: url, nats: addresses, program: () => inject("newer") });
    const balancer = await startBalancer(dataFolder, servers);
    const telex = await openOperator(url);
    const bots: Bot[] = [];
    try {
      const { id } = await telex.operator.users.add(operator, { nickname: "Alice" });
      const { token } = await telex.operator.tokens.issue(operator, { userId: id, scopes: ["chat"] });
      const rooms: Room[] = [];
      for (const account of [9001, 9002]) {
        const added = await telex.operator.bots.add(operator, { account: String(account), minInterval: 0 });
        const at11 = `${balancer.url.replace("http", "ws")}/onebot/v11/ws?access_token=${added.token}`;
        const bot = new Bot({ account, url: at11, random: random.fork(account) });
        bots.push(bot);
        for (const ext of [`${account}1`, `${account}2`]) {
          const room = { groupType: 4 as const, name: ext, ext, bot: String(account), members: [id] };
          const { groupId } = await telex.operator.groups.add(operator, room);
          rooms.push({ groupId, ext, bot, batches: [] });
        }
      }
      const run: Run = { url: balancer.url, token, random, isOver: false, codes: new Map() };
      const speaking = Promise.all(rooms.map((room) => speak(run, room)));
      await delay(3000);
      for (let round = 0; round < kills; round += 1) {
        await delay(500 + random.next() * 2500);
        const victim = victimOf(round, random, servers, nats);
        await victim?.kill();
        await delay(random.next() * 500);
        await victim?.start();
        say(`  killed ${victim?.name}, ${bots.map(({ messages }) => messages.length).join(" ")}`);
      }
      run.isOver = true;
      const end = Date.now() + maxEndTime;
      const over = speaking.then(() => true);
      while (Date.now() < end && !(await Promise.race([over, delay(2000, false)])))
        for (const bot of bots) bot.showAgain();
      say(`  ${JSON.stringify([...run.codes])}`);
      let problems: readonly string[] = [];
      do {
        for (const bot of bots) bot.showAgain();
        await delay(2000);
        problems = (await Promise.all(rooms.map((room) => problemsOf(telex, token, room)))).flat();
      } while (problems.length > 0 && Date.now() < end);
      const shown = bots.reduce((sum, { messages }) => sum + messages.length, 0);
      say(`  ${shown} messages in the network, ${problems.length} problems`);
      expect(shown).toBeGreaterThan(0);
      expect(problems, `seed ${seed}`).toEqual([]);
    } finally {
      for (const bot of bots) bot.end();
      await telex.close();
      await Promise.all([...servers, ...nats, database].map((node) => node.kill()));
      await balancer.stop();
    }
  });
});
