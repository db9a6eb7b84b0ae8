import { createLocalBus, operator, type TokenHolder } from "@telex/core";
import type { LiveConnection } from "@telex/core/transport";
import { createManualClock, createRandom, ticks } from "@telex/conformance/testing";
import type { Storage } from "@telex/core/storage";
import { expect } from "vitest";
import { changeRoom } from "../src/groups/change-room.ts";
import { leaving } from "../src/groups/rules.ts";
import { editing } from "../src/messages/edit.ts";
import { reacting } from "../src/messages/react.ts";
import { type Event, type Mortal, startMortal } from "./kills-scene.ts";

type OpenStorage = (clock: ReturnType<typeof createManualClock>) => Promise<Storage> | Storage;

/** Milliseconds of real time in which the last events of a real database arrive. */
const lateness = 30_000;

/** A message as a client shows it. */
interface Shown {
  readonly content: string;
  readonly reactions: string;
}

const shownOf = ({ content, reactions = [] }: { readonly content: string; readonly reactions?: unknown }): Shown => ({
  content,
  reactions: JSON.stringify(reactions),
});

/** The servers of an installation, of which each may be killed and started again. */
async function startAll(random: ReturnType<typeof createRandom>, open: OpenStorage) {
  const clock = createManualClock();
  // As in a database with several servers: a client that reconnects gets all events again that it may have missed.
  const storage = { ...(await open(clock)), close: () => Promise.resolve(), idOverlap: 60 };
  const bus = createLocalBus();
  const servers: Mortal[] = [];
  for (let index = 0; index < 3; index += 1) servers.push(await startMortal(storage, bus, clock));
  const alive = (): Mortal => {
    const server = servers[random.below(servers.length)];
    if (server === undefined) throw new TypeError("There is no server.");
    return server;
  };
  return {
    clock,
    storage,
    alive,
    async killOne(): Promise<void> {
      const index = random.below(servers.length);
      servers[index]?.kill();
      servers[index] = await startMortal(storage, bus, clock);
    },
  };
}

type Cluster = Awaited<ReturnType<typeof startAll>>;

/**
 * A client that keeps a copy of a room. It reads the room when it joins, and applies each event afterwards. It connects again with
 * `since`.
 */
class Client {
  readonly problems: string[] = [];
  readonly known = new Map<number, Shown>();
  readonly #cluster: Cluster;
  readonly #groupId: number;
  readonly #token: string;
  /** The number of the step in which the removal was acknowledged; null for a member. */
  removedIn: number | null = null;
  /** Calls that add the person: all, and those in progress. */
  readonly adds = { begun: 0, running: 0 };
  #late: Event[] | null = null;
  /** Reads of the room that have begun. */
  #reads = 0;

  constructor(cluster: Cluster, groupId: number, token: string) {
    this.#cluster = cluster;
    this.#groupId = groupId;
    this.#token = token;
  }

  /** Connects to one server after another. */
  async run(): Promise<never> {
    for (;;) {
      const server = this.#cluster.alive();
      await Promise.race([this.#connect(server), server.killed]);
      await server.killed;
    }
  }

  async holder({ telex }: Mortal): Promise<TokenHolder> {
    const caller = await telex.authenticate(this.#token);
    if (caller.kind !== "token") throw new TypeError("The token does not work.");
    return caller;
  }

  async #connect(server: Mortal): Promise<void> {
    const holder = await this.holder(server);
    const connection: LiveConnection = {
      holder,
      write: (events) => {
        if (!server.isDead()) for (const event of events) this.#take(server, event);
      },
      close: (reason) => void this.problems.push(`closed with ${reason}`),
    };
    server.telex.attach(connection);
    // A server that is killed during the read leaves a part of the room.
    if (this.#late !== null) this.known.clear();
    this.#late = null;
    const since = this.known.size === 0 ? null : Math.max(...this.known.keys());
    await server.telex.listen(connection, { echo: true, more: true, since }).ready;
    if (since === null) await this.#read(server);
    else await this.#leave(server, holder);
  }

  /** Forgets the room if it is not listed, and no later event says that the person was added. */
  async #leave({ telex, isDead }: Mortal, holder: TokenHolder): Promise<void> {
    const reads = this.#reads;
    const { list } = await telex.rooms.list(holder, {});
    if (list.length === 0 && reads === this.#reads && !isDead()) this.known.clear();
  }

  /** Reads the room, and applies the events that arrived during the read. */
  async #read(server: Mortal): Promise<void> {
    this.#late = [];
    this.#reads += 1;
    const { telex } = server;
    const holder = await this.holder(server);
    const { list } = await telex.rooms.list(holder, {});
    // A server answers some calls from memory, also after its end. The client has another connection then.
    if (server.isDead()) return;
    this.known.clear();
    for (let cursor: number | undefined; list.length > 0;) {
      const asked = { groupId: this.#groupId, groupType: 1, pageSize: 100, more: 1, cursor } as const;
      const page = await telex.messages.history(holder, asked).catch(() => null);
      if (page === null) break;
      for (const message of page.groupMessages) this.known.set(message.messageId, shownOf(message));
      if (page.groupMessages.length < 100) break;
      cursor = Math.min(...page.groupMessages.map(({ messageId }) => messageId));
    }
    const late = this.#late;
    this.#late = null;
    for (const event of late) this.#take(server, event);
  }

  #take(server: Mortal, event: Event): void {
    if (this.#late !== null) return void this.#late.push(event);
    const { known } = this;
    if (event.kind === "group_changed" && event.data.change === "added") void this.#read(server);
    else if (event.kind === "group_changed" && event.data.change === "removed") known.clear();
    else if (event.kind === "message" || event.kind === "message_edited") {
      const { messageId, content } = event.data;
      const step = Number(/step (\d+)/.exec(content)?.[1] ?? 0);
      if (this.removedIn !== null && step > this.removedIn) this.problems.push(`sees ${content} after its removal`);
      if (event.kind === "message" && known.has(messageId)) return;
      known.set(messageId, { content, reactions: known.get(messageId)?.reactions ?? "[]" });
    } else if (event.kind === "message_reaction") {
      const message = known.get(event.data.messageId);
      if (message !== undefined) known.set(event.data.messageId, shownOf({ ...message, ...event.data }));
    }
  }
}

interface Actor {
  readonly userId: number;
  readonly client: Client;
}

/** One person does something on one of the servers. Does not wait for its end. */
function act(
  { alive, clock, storage }: Cluster,
  random: ReturnType<typeof createRandom>,
  groupId: number,
  { progress, actor: { userId, client } }: { readonly progress: { readonly step: number }; readonly actor: Actor },
): Promise<unknown> {
  const server = alive();
  const { telex } = server;
  const { step } = progress;
  const some = async (): Promise<number> => {
    const newest = (await storage.messages.findNewest([groupId])).get(groupId) ?? 0;
    const { messages } = await storage.messages.page({ groupId, before: newest + 1, limit: 20 });
    return messages[random.below(Math.max(1, messages.length))]?.id ?? 1;
  };
  const groups = telex.operator.groups;
  const acts = [
    async () => {
      const holder = await client.holder(server);
      await telex.messages.send(holder, { groupId, groupType: 1, message: `step ${step}`, nonce: `${step}` });
    },
    async () => {
      const decide = editing({ userId, now: clock.now(), life: 1e9 });
      await telex.amendMessage({ userId, groupId, messageId: await some(), message: `step ${step}, edited`, decide });
    },
    async () => {
      const by = { userId, nickname: "A", emoji: random.chance(0.5) ? "👍" : "🎉", isRemoval: random.chance(0.3) };
      await telex.amendMessage({ userId, groupId, messageId: await some(), decide: reacting(by) });
    },
    async () => {
      client.removedIn = null;
      client.adds.begun += 1;
      client.adds.running += 1;
      const adding = groups.amendMembers(operator, { groupId, add: [userId] });
      await Promise.race([adding, server.killed]).finally(() => (client.adds.running -= 1));
    },
    async () => {
      if (userId === 1) return;
      const adds = client.adds.begun;
      if (random.chance(0.5)) await groups.amendMembers(operator, { groupId, remove: [userId] });
      else
        await changeRoom(
          { telex, groups: storage.groups },
          { groupId, userId },
          leaving(async () => null),
        );
      if (adds === client.adds.begun && client.adds.running === 0) client.removedIn = progress.step;
    },
  ];
  const chosen = acts[[0, 0, 0, 1, 1, 2, 2, 3, 4][random.below(9)] ?? 0];
  return Promise.race([chosen?.().catch(() => null), server.killed]);
}

/**
 * Four clients send, edit and react, and join and leave, on three servers, which are killed one after the other. At the end, each member
 * shows the room as it is stored, and the others show nothing.
 * @param open a storage that stays open when one of its servers ends
 */
export async function roomThroughKills(
  open: OpenStorage,
  { kills, seed }: { readonly kills: number; readonly seed: number },
): Promise<void> {
  const random = createRandom(seed);
  const cluster = await startAll(random, open);
  const { telex } = cluster.alive();
  const actors: Actor[] = [];
  const added = await Promise.all(
    ["Ann", "Ben", "Cid", "Dan"].map(async (nickname) => await telex.operator.users.add(operator, { nickname })),
  );
  const members = added.map(({ id }) => id);
  const { groupId } = await telex.operator.groups.add(operator, { groupType: 1, name: "Tea", members });
  for (const userId of members) {
    const { token } = await telex.operator.tokens.issue(operator, { userId, scopes: ["chat"] });
    actors.push({ userId, client: new Client(cluster, groupId, token) });
  }
  for (const { client } of actors) void client.run();
  await ticks();
  const pending: Promise<unknown>[] = [];
  const progress = { step: 0 };
  while (progress.step < kills * 12) {
    progress.step += 1;
    const actor = actors[random.below(actors.length)];
    if (actor !== undefined) pending.push(act(cluster, random, groupId, { progress, actor }));
    if (random.chance(0.7)) await ticks();
    if (random.chance(0.5)) await cluster.clock.advance(random.below(400));
    if (progress.step % 12 === 0) await cluster.killOne();
  }
  // All leases, checks and waits are over after that.
  for (let look = 0; look < 100; look += 1) await cluster.clock.advance(250);
  await Promise.all(pending);
  const room = await cluster.storage.groups.findRoom(groupId);
  const stored = new Map<number, Shown>();
  for (let before: number | null = null; ;) {
    const { messages } = await cluster.storage.messages.page({ groupId, before, limit: 100 });
    const group = room?.group;
    if (group === undefined || messages.length === 0) break;
    for (const message of messages)
      stored.set(message.id, shownOf(await cluster.alive().telex.viewMessage(message, group)));
    before = Math.min(...messages.map(({ id }) => id));
  }
  expect(stored.size).toBeGreaterThan(kills / 2 - 1);
  const byId = (known: ReadonlyMap<number, Shown>) => [...known].toSorted(([a], [b]) => a - b);
  const due = (userId: number) => (room?.members.has(userId) === true ? byId(stored) : []);
  const isDue = ({ userId, client }: Actor) => JSON.stringify(byId(client.known)) === JSON.stringify(due(userId));
  // A real database takes real time, and more on a busy machine.
  const until = performance.now() + lateness;
  while (!actors.every(isDue) && performance.now() < until) {
    await cluster.clock.advance(100);
    await ticks(20);
  }
  for (const { userId, client } of actors) {
    expect(client.problems).toEqual([]);
    expect([userId, byId(client.known)]).toEqual([userId, due(userId)]);
  }
}
