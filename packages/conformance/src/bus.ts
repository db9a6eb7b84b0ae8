import assert from "node:assert/strict";
import { type Bus, type BusEvent, type BusMember, busTopicOf } from "@telex/core";
import { now } from "./support/fixtures.ts";

/** A bus to be tried. */
export interface BusSubject {
  /** The bus as a server of the installation has it. Each call is another server. */
  readonly server: () => Promise<Bus>;
  /** The bus as a server of another installation has it, over the same network if buses can share one. */
  readonly stranger: () => Promise<Bus>;
  /** Closes everything, whatever state it is in. */
  destroy(): Promise<void>;
}

/** One promise of `Bus`, and how it is tried. */
export interface BusCase {
  readonly name: string;
  /** Rejects when the bus breaks the promise. */
  readonly run: (subject: BusSubject) => Promise<void>;
}

/** A server that keeps what it receives. */
interface Server {
  readonly member: BusMember;
  readonly received: BusEvent[];
  /** Follows what a `wake` with this word is about. */
  readonly follow: (word: string) => Promise<void>;
  /** Resolves when something has been received, or after this many milliseconds. */
  readonly next: (wait: number) => Promise<void>;
}

const wake = (deviceId: string): BusEvent => ({ kind: "device_wake", deviceId });

/** The topic of a `wake` with this word. */
function topicOf(word: string): string {
  const topic = busTopicOf(wake(word));
  assert.ok(topic !== null, "Events of a device have a topic.");
  return topic;
}

async function join(bus: Bus): Promise<Server> {
  const received: BusEvent[] = [];
  let told = Promise.withResolvers<void>();
  const member = await bus.join((event) => {
    received.push(event);
    told.resolve();
    told = Promise.withResolvers();
  });
  const next = async (wait: number): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, wait);
    await Promise.race([promise, told.promise]);
    clearTimeout(timer);
  };
  const follow = (word: string): Promise<void> => member.follow(topicOf(word));
  return { received, member, follow, next };
}

/** Every kind of event, and texts that are hard to carry. */
const samples: readonly BusEvent[] = [
  wake("printer-1"),
  { kind: "token_ended", tokenId: Number.MAX_SAFE_INTEGER },
  {
    kind: "message",
    record: {
      id: 9_007_199_254_740_991,
      groupId: 3,
      seq: 12,
      userId: "7",
      external: false,
      type: 3,
      content: `[{"type":"text","data":{"text":"👩‍👩‍👧‍👦 \\u0000 \\"quoted\\" ${"长".repeat(50_000)}"}}]`,
      pinyin: "",
      nickname: "Ada\u2028",
      nicknamePinyin: "",
      createTime: now,
      receiveTime: now + 1,
      botMessageId: null,
    },
    sent: "b1a7e0a4-2f0e-4d35-8a52-3b1e5b0f7a11",
  },
  {
    kind: "device_presence",
    device: {
      deviceId: "printer-1",
      name: "Printer",
      owner: 7,
      createdAt: now,
      lastSeen: now,
      away: true,
      ai: null,
      roomId: 12,
      roomMentions: true,
    },
  },
  { kind: "room_presence", server: "server-1", version: 2, userId: 7, online: false },
  { kind: "room_presence_state", server: "server-1", version: 2, userIds: [7, Number.MAX_SAFE_INTEGER] },
  { kind: "room_presence_ask", server: "server-1" },
  { kind: "reply_ask", reply: "q83vEjRWeJASNFZ4", userId: 7, after: 0, asker: "reader-1", number: 12 },
  {
    kind: "reply_part",
    reply: "q83vEjRWeJASNFZ4",
    asker: "reader-1",
    number: 12,
    texts: ["id: q83vEjRWeJASNFZ4:1\nevent: ChatDelta\ndata: {}\n\n", ""],
    isOver: true,
  },
  {
    kind: "account_ask",
    server: "server-1/a",
    asker: "server-2/b",
    key: "k-1",
    question: { name: "members", account: "机器人", room: { kind: "group", ext: "500" } },
  },
  {
    kind: "account_answer",
    server: "server-2/b",
    key: "k-1",
    answer: '[{"ext":"1001","nickname":"\u0000","card":null}]',
  },
  { kind: "send_wake", server: "server-2/b", account: "机器人", groupId: 11 },
  { kind: "send_done", server: "server-2/b", id: "s-1" },
  {
    kind: "device_text",
    owner: 7,
    event: { kind: "device_delivered", data: { deviceId: "printer-1", ids: [1, 2, 3] } },
  },
];

/** Attempts to publish an event before it counts as lost: a bus may lose some of them, but not all. */
const attempts = 100;
/** Milliseconds until an event is published again. */
const patience = 25;

/** Publishes an event until another server has received it. */
async function publishUntil(from: Server, event: BusEvent, to: Server, isSame: (one: BusEvent) => boolean) {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    from.member.publish(event);
    if (!to.received.some(isSame)) await to.next(patience);
    if (to.received.some(isSame)) return;
  }
  assert.fail(`An event "${event.kind}" does not arrive, although it was published ${attempts} times.`);
}

const has = ({ received }: Server, deviceId: string): boolean =>
  received.some((event) => event.kind === "device_wake" && event.deviceId === deviceId);

const isWake =
  (word: string) =>
  (event: BusEvent): boolean =>
    event.kind === "device_wake" && event.deviceId === word;

/** Resolves when events that were published before have had their time, because a later one has arrived. */
async function pass(from: Server, to: Server, word: string): Promise<void> {
  await to.follow(word);
  await publishUntil(from, wake(word), to, isWake(word));
}

/** The topics of the samples. */
const sampleTopics = new Set(samples.map((sample) => busTopicOf(sample)).filter((topic) => topic !== null));

const cases: Readonly<Record<string, (subject: BusSubject) => Promise<void>>> = {
  "every kind of event reaches the other servers as it was published": async ({ server }) => {
    const [one, two, three] = [await join(await server()), await join(await server()), await join(await server())];
    for (const { member } of [two, three]) for (const topic of sampleTopics) await member.follow(topic);
    for (const sample of samples) {
      const before = structuredClone(sample);
      for (const to of [two, three]) await publishUntil(one, sample, to, ({ kind }) => kind === sample.kind);
      assert.deepEqual(sample, before, "What is published is not changed.");
    }
    for (const { received } of [two, three]) {
      for (const event of received) {
        const published = samples.find(({ kind }) => kind === event.kind);
        assert.deepEqual(event, published);
      }
    }
  },

  "both directions work simultaneously": async ({ server }) => {
    const [one, two] = [await join(await server()), await join(await server())];
    await Promise.all([pass(one, two, "to two"), pass(two, one, "to one")]);
  },

  "a server does not receive what it published itself": async ({ server }) => {
    const [one, two] = [await join(await server()), await join(await server())];
    await one.follow("own");
    await pass(one, two, "own");
    await pass(two, one, "other");
    assert.ok(!has(one, "own"), "A server received its own event.");
  },

  "an event is received only after its publish has returned": async ({ server }) => {
    const [one, two] = [await join(await server()), await join(await server())];
    await two.follow("later");
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const before = two.received.length;
      one.member.publish(wake("later"));
      assert.equal(two.received.length, before, "An event was received while it was published.");
    }
    await pass(one, two, "end");
  },

  "another installation receives nothing": async ({ server, stranger }) => {
    const [one, two, other] = [await join(await server()), await join(await server()), await join(await stranger())];
    const neighbour = await join(await stranger());
    await other.follow("ours");
    await two.follow("theirs");
    await pass(one, two, "ours");
    await pass(neighbour, other, "theirs");
    assert.ok(!has(other, "ours"), "An event reached another installation.");
    assert.ok(!has(two, "theirs"), "An event of another installation arrived.");
  },

  "a server that has left receives nothing, and the others go on": async ({ server }) => {
    const [one, two, three] = [await join(await server()), await join(await server()), await join(await server())];
    await two.follow("after");
    await pass(one, two, "before");
    await two.member.leave();
    const count = two.received.length;
    await pass(one, three, "after");
    assert.equal(two.received.length, count, "A server that has left received an event.");
  },

  "what is published after leaving is lost without an error": async ({ server }) => {
    const [one, two] = [await join(await server()), await join(await server())];
    await two.follow("gone");
    await one.member.leave();
    one.member.publish(wake("gone"));
    await one.member.leave();
    const three = await join(await server());
    await pass(three, two, "end");
    assert.ok(!has(two, "gone"), "A server that has left was heard.");
  },

  "a server that joins later receives what is published from then on": async ({ server }) => {
    const one = await join(await server());
    one.member.publish(wake("early"));
    const two = await join(await server());
    await pass(one, two, "late");
  },

  "what a server still follows arrives after it has let go of something else": async ({ server }) => {
    const [one, two] = [await join(await server()), await join(await server())];
    for (const word of ["kept", "dropped"]) await pass(one, two, word);
    two.member.unfollow(topicOf("dropped"));
    await pass(one, two, "new");
    two.received.length = 0;
    await publishUntil(one, wake("kept"), two, isWake("kept"));
  },

  "topics whose words are hard to carry are followed": async ({ server }) => {
    const [one, two] = [await join(await server()), await join(await server())];
    for (const word of ["打印机 1", "a.b.>", "*", "A", "a", "x".repeat(500)]) await pass(one, two, word);
  },

  "following ends without an error after leaving": async ({ server }) => {
    const [one, two] = [await join(await server()), await join(await server())];
    await pass(one, two, "before");
    await two.member.leave();
    await two.follow("late");
    two.member.unfollow(topicOf("before"));
    await one.member.leave();
  },
};

/** Every promise of `Bus`. */
export const busCases: readonly BusCase[] = Object.entries(cases).map(([sentence, run]) => ({
  name: `bus: ${sentence}`,
  run,
}));
