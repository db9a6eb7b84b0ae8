import { createMemoryBlobs } from "@telex/blobs/memory";
import { createMemoryStorage } from "@telex/storage-memory";
import { describe, expect, it } from "vitest";
import { withLosses } from "@telex/conformance";
import {
  type Bus,
  type Caller,
  createLocalBus,
  definePlugin,
  type GatewayLease,
  type GatewayMessage,
  type MessageView,
  type NetworkMember,
  operator,
  type Storage,
  TelexError,
  type TelexOptions,
} from "../src/index.ts";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createManualClock, createMemoryNetwork, createScene, type ManualClock } from "@telex/conformance/testing";
import { textOfParts, ticks } from "@telex/conformance/testing";
import { createConnection, fileOf, segmentsOf } from "./kit.ts";

const engine = createSharpEngine();
/** The result of an accepted send. */
const stored = { messageId: expect.any(Number) as unknown };
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** Lets time pass step by step, as it does: what a store answers comes before the next timer. */
async function pass(clock: ManualClock, milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 100) await clock.advance(100);
}

/** The result of a call while the clock advances: its value, or the code of its error. */
async function settle<T>(clock: ManualClock, seconds: number, call: Promise<T>): Promise<T | string> {
  const outcome = { now: undefined as T | string | undefined };
  const settled = call.then(
    (value) => void (outcome.now = value),
    (error: { readonly code: string }) => void (outcome.now = error.code),
  );
  for (let step = 0; step < 10 * seconds && outcome.now === undefined; step += 1) await clock.advance(100);
  if (outcome.now === undefined) return "never";
  await settled;
  return outcome.now;
}

/** Moves the clock while a change waits for another server: for a second, where the bus has lost the question. */
async function patiently<T>(clock: ManualClock, change: Promise<T>): Promise<T> {
  const state = { isOver: false };
  const end = (): void => void (state.isOver = true);
  change.then(end, end);
  for (let turn = 0; turn < 100 && !state.isOver; turn += 1) await ticks();
  while (!state.isOver) await clock.advance(100);
  return await change;
}

/** A bus and a storage that a server has until it is killed. */
function killable(bus: Bus, storage: Storage) {
  const state = {
    isKilled: false,
    isMute: false,
    isLater: false,
    failing: "listSends",
    failures: 0,
    largest: 0,
    questions: 0,
    told: 0,
  };
  const gated: Bus = {
    async join(receive) {
      const member = await bus.join((event) => {
        if (!state.isKilled) receive(event);
      });
      return {
        ...member,
        publish: (event) => {
          state.largest = Math.max(state.largest, Buffer.byteLength(JSON.stringify(event)));
          if (event.kind === "account_ask") {
            state.questions += 1;
            if (state.isLater) Reflect.set(event.question, "name", "something of a later version");
          }
          if (event.kind === "message") state.told += 1;
          if (!state.isKilled && !state.isMute) member.publish(event);
        },
      };
    },
  };
  const guard = <Part extends object>(part: Part): Part =>
    new Proxy(part, {
      get(target, key) {
        const verb: unknown = Reflect.get(target, key);
        if (typeof verb !== "function") return verb;
        return (...given: unknown[]): unknown => {
          if (state.isKilled) return new Promise<never>(() => {});
          if (key !== state.failing || state.failures === 0) return Reflect.apply(verb, target, given);
          state.failures -= 1;
          return Promise.reject(new TelexError("storage_unavailable"));
        };
      },
    });
  const { messages, leases } = storage;
  return { state, bus: gated, storage: { ...storage, messages: guard(messages), leases: guard(leases) } };
}

type Message = Parameters<Awaited<ReturnType<typeof createScene>>["telex"]["messages"]["send"]>[1]["message"];

/** A server whose network is connected while it has the lease of `bot-1`. */
async function startServer(
  serverName: string,
  {
    storage,
    bus,
    clock,
    ...options
  }: Pick<TelexOptions, "storage" | "blobs" | "bus"> & { readonly clock: ManualClock } & Partial<TelexOptions>,
) {
  const { state, ...own } = killable(bus ?? createLocalBus(), storage);
  const network = createMemoryNetwork();
  network.isConnected = false;
  const none = null as Promise<void> | null;
  const waits = { gate: none, sent: none, answer: none };
  const members: readonly NetworkMember[] = [{ ext: "1001", nickname: `told by ${serverName}`, card: null }];
  const created: string[] = [];
  const heard = { name: "heard", on: { "message.created": ({ content }: MessageView) => void created.push(content) } };
  const kept = {
    lease: null as GatewayLease | null,
    isAlive: true,
    asked: 0,
    isCut: false,
    isLost: false,
    members,
    ...waits,
  };
  const report = (isConnected: boolean) => ({
    isConnected,
    isOnline: isConnected,
    ext: "9000",
    version: "11",
    implementation: null,
    problem: null,
  });
  const set = (isConnected: boolean): void => {
    network.isConnected = isConnected;
    kept.lease?.report(report(isConnected));
  };
  const scene = await createScene({
    ...options,
    ...own,
    clock,
    images: engine,
    serverName,
    plugins: [definePlugin(heard)],
    gateways: [
      {
        ...network.gateway,
        async start(inbox, leases) {
          kept.lease = leases.open("bot-1", {
            lost: () => set(false),
            async isAlive() {
              kept.asked += 1;
              await kept.answer;
              return kept.isAlive;
            },
          });
          await network.gateway.start(inbox, leases);
        },
        async send(message: GatewayMessage) {
          await kept.gate;
          const outcome = await network.gateway.send(message);
          await kept.sent;
          if (kept.isLost) return { outcome: "unknown" };
          const parts = message.parts.slice(0, 1);
          return kept.isCut && outcome.outcome === "delivered" ? { ...outcome, outcome: "partly", parts } : outcome;
        },
        async recall(recall) {
          await kept.answer;
          return (await network.gateway.recall?.(recall)) === true;
        },
        listMembers: async () => kept.members,
      },
    ],
  });
  return {
    ...scene,
    network,
    kept,
    state,
    /** The messages that plug-ins got. */
    created,
    /** The bot connects to this server. False if another one keeps it. */
    async connect(): Promise<boolean> {
      const isTaken = (await kept.lease?.take()) === true;
      if (isTaken) set(true);
      await clock.advance(0);
      return isTaken;
    },
    kill(): void {
      state.isKilled = true;
    },
  };
}

/** Two servers on one store, with a room for a group of the network. The bot is connected to the first one. */
async function createServers({
  bus = createLocalBus(),
  clock = createManualClock(),
  ...options
}: Partial<Pick<TelexOptions, "bus" | "limits">> & { readonly clock?: ManualClock } = {}) {
  // One goes on with it after the other has closed.
  const storage = { ...createMemoryStorage({ clock }), close: () => Promise.resolve() };
  const shared = { storage, bus, clock, blobs: createMemoryBlobs({ clock }), ...options };
  const first = await startServer("first", shared);
  const second = await startServer("second", shared);
  const alice = await patiently(clock, first.person("Alice", { ext: "10001" }));
  const out = await patiently(clock, first.room([alice], { groupType: 4, ext: "500", bot: "bot-1" }));
  await patiently(clock, first.connect());
  await pass(clock, 1000);
  const callers = new Map<object, Caller>();
  const callerOf = async (server: typeof first): Promise<Caller> => {
    const caller = callers.get(server) ?? (await server.caller(alice));
    callers.set(server, caller);
    return caller;
  };
  const place = { groupId: out, groupType: 4 } as const;
  return {
    clock,
    storage,
    first,
    second,
    place,
    callerOf,
    send: async (server: typeof first, message: Message, nonce?: string, origin?: object) => {
      const input = { ...place, message, ...(nonce !== undefined && { nonce }) };
      return server.telex.messages.send(await callerOf(server), input, origin === undefined ? {} : { origin });
    },
    history: async () =>
      (
        await second.telex.messages.history(await callerOf(second), { ...place, pageSize: 100 })
      ).groupMessages.toReversed(),
    /** Messages without a known outcome. */
    outbox: async () => {
      const rows = await storage.records.list("outbox", { after: null, limit: 100 });
      return rows.filter(({ state }) => state !== "failed").length;
    },
    /** The messages that the network has got, from all servers. */
    sent: () => [first, second].flatMap(({ network }) => network.sent.map(({ parts }) => textOfParts(parts))),
  };
}

type Servers = Awaited<ReturnType<typeof createServers>>;

const textsOf = (messages: Awaited<ReturnType<Servers["history"]>>) =>
  messages.map((message) => segmentsOf(message)[0]?.["text"]?.["text"]);

describe("a message for an account that another server has", () => {
  it("is sent there once, stored once, and told to everybody but its own connection", async () => {
    const here = await createServers();
    const { clock, first, second, send, callerOf } = here;
    const [own, other] = [createConnection(await callerOf(second)), createConnection(await callerOf(first))];
    await second.telex.listen(own.connection, { echo: true, since: null }).ready;
    await first.telex.listen(other.connection, { echo: true, since: null }).ready;
    const sent = await settle(clock, 5, send(second, "hello", "n-1", own.connection));
    expect(sent).toMatchObject(stored);
    expect(first.network.sent.map(({ parts }) => textOfParts(parts))).toEqual(["hello"]);
    expect([second.network.sent, await here.outbox()]).toEqual([[], 0]);
    expect(textsOf(await here.history())).toEqual(["hello"]);
    expect([own.events.length, other.events.length]).toEqual([0, 1]);
    expect([first.created.length, second.created.length]).toEqual([1, 0]);
    expect(await settle(clock, 5, send(second, "hello", "n-1"))).toEqual(sent);
    expect(await settle(clock, 5, send(first, "hello", "n-1"))).toEqual(sent);
    expect(here.sent()).toEqual(["hello"]);
  });

  it("has the parts that it would have on its own server", async () => {
    const { clock, first, second, send, callerOf } = await createServers();
    const alice = await callerOf(second);
    const image = await second.telex.bucket.upload(alice, { file: fileOf(png, "a.png", "image/png") });
    const file = await second.telex.bucket.upload(alice, { file: fileOf("content", "notes.txt", "text/plain") });
    const quoted = await settle(clock, 5, send(second, "to quote"));
    if (typeof quoted === "string") throw new Error(quoted);
    const message: Message = [
      { type: "reply", data: { messageId: quoted.messageId } },
      { type: "at", data: { ext: "1001" } },
      { type: "text", data: { text: "see " } },
      { type: "image", data: { file_id: image.file_id } },
      { type: "file", data: { file_id: file.file_id, name: "notes.txt" } },
    ];
    for (const server of [first, second]) {
      expect(await settle(clock, 5, send(server, message))).toMatchObject(stored);
    }
    const [, local, remote] = await Promise.all(
      first.network.sent.map(async ({ parts }) =>
        Promise.all(
          parts.map(async (part) => {
            if (!("file" in part)) return part;
            const { file: given } = part;
            const chunks: Uint8Array[] = [];
            for await (const chunk of await given.open()) chunks.push(chunk);
            return { kind: part.kind, ...given, open: null, url: null, bytes: Buffer.concat(chunks).toString("hex") };
          }),
        ),
      ),
    );
    expect(local).toHaveLength(5);
    expect(remote).toEqual(local);
  });

  it("is refused with the words of the network", async () => {
    const { clock, first, second, send, outbox } = await createServers();
    first.network.mood = "refuse";
    const failed = await send(second, "no").then(
      () => null,
      (error: unknown) => error,
    );
    await clock.advance(0);
    expect(failed).toMatchObject({
      code: "delivery_failed",
      reason: "bot_refused",
      params: { detail: "the network says no" },
    });
    expect(await outbox()).toBe(0);
  });

  it("is refused immediately if no server has the account, and nothing is queued", async () => {
    const { first, second, send, outbox, clock, sent } = await createServers();
    await first.kept.lease?.release();
    first.network.isConnected = false;
    await pass(clock, 2000);
    await expect(send(second, "a")).rejects.toMatchObject({ code: "bot_offline" });
    expect([await settle(clock, 1, send(second, "b", "n-1")), await outbox(), sent()]).toEqual(["bot_offline", 0, []]);
    expect(await first.connect()).toBe(true);
    await pass(clock, 2000);
    expect(await settle(clock, 5, send(second, "b", "n-1"))).toMatchObject(stored);
  });

  it("has its outcome also if the bus loses everything between the servers", async () => {
    const { clock, first, second, send, history, outbox, sent } = await createServers();
    first.state.isMute = true;
    expect(await settle(clock, 5, send(second, "a", "n-1"))).toMatchObject(stored);
    expect([sent(), textsOf(await history()), await outbox()]).toEqual([["a"], ["a"], 0]);
    first.network.mood = "refuse";
    expect(await settle(clock, 10, send(second, "b"))).toBe("delivery_failed");
    expect([sent(), await outbox()]).toEqual([["a"], 0]);
  });

  it("of which the network takes a part is not known, and the members see the part", async () => {
    const { clock, first, second, send, history, callerOf } = await createServers();
    const alice = await callerOf(second);
    const file = await second.telex.bucket.upload(alice, { file: fileOf("content", "notes.txt", "text/plain") });
    const message: Message = [
      { type: "text", data: { text: "see 笔记" } },
      { type: "file", data: { file_id: file.file_id, name: "notes.txt" } },
    ];
    const listener = createConnection(alice);
    await second.telex.listen(listener.connection, { echo: true, since: null }).ready;
    first.kept.isCut = true;
    for (const server of [second, first, second])
      expect(await settle(clock, 5, send(server, message, "n-1"))).toBe("delivery_unknown");
    expect(first.network.sent).toHaveLength(1);
    expect((await history()).map(segmentsOf)).toEqual([[{ text: { text: "see 笔记" } }]]);
    expect(listener.events).toHaveLength(1);
  });

  it("counts for the places of the account", async () => {
    const { clock, first, second, send, sent } = await createServers({ limits: { gatewayQueue: 1 } });
    const gate = Promise.withResolvers<void>();
    first.kept.gate = gate.promise;
    const slow = send(first, "slow");
    await clock.advance(0);
    expect(await settle(clock, 1, send(second, "too many"))).toBe("queue_full");
    gate.resolve();
    expect(await settle(clock, 1, slow)).toMatchObject(stored);
    expect(sent()).toEqual(["slow"]);
  });

  it("waits for those before it as long as the server that has the account is at work", async () => {
    const { clock, first, second, send, sent } = await createServers();
    const gate = Promise.withResolvers<void>();
    first.kept.gate = gate.promise;
    const waiting = send(second, "late");
    await pass(clock, 60_000);
    expect(sent()).toEqual([]);
    gate.resolve();
    expect(await settle(clock, 5, waiting)).toMatchObject(stored);
    expect(sent()).toEqual(["late"]);
  });
});

/** The texts of its room that a device has got through a server. */
const printed = async ({ callerOf, first }: Servers, deviceId: string): Promise<string[]> =>
  (await first.telex.teleprinter.poll(await callerOf(first), { deviceId, limit: 10 })).map(({ content }) => content);

/** Devices of Alice's that print the room. */
async function register({ second, callerOf, place: { groupId } }: Servers, ...deviceIds: string[]): Promise<void> {
  for (const deviceId of deviceIds)
    await second.telex.teleprinter.register(await callerOf(second), { deviceId, name: deviceId, room: { groupId } });
}

describe("a message that another server stores", () => {
  it("is published by that one, once, also if the server of its sender is killed meanwhile", async () => {
    const here = await createServers();
    const { clock, first, second, send, callerOf } = here;
    await register(here, "printer");
    const listener = createConnection(await callerOf(first));
    await first.telex.listen(listener.connection, { echo: true, since: null }).ready;
    const gate = Promise.withResolvers<void>();
    first.kept.sent = gate.promise;
    void send(second, "a");
    await pass(clock, 200);
    second.kill();
    gate.resolve();
    await pass(clock, 2000);
    expect([first.created, second.created]).toEqual([['[{"text":{"text":"a"}}]'], []]);
    expect([listener.events.length, await printed(here, "printer")]).toEqual([1, ["Alice: a"]]);
  });

  it("is not printed by the device on which it was said", async () => {
    const here = await createServers();
    const { clock, second, callerOf, sent } = here;
    await register(here, "pen", "printer");
    const said = second.telex.teleprinter.sync(await callerOf(second), {
      deviceId: "pen",
      content: "hello from paper",
    });
    expect(typeof (await settle(clock, 5, said))).toBe("object");
    await pass(clock, 1000);
    expect(sent()).toEqual(["hello from paper"]);
    expect([await printed(here, "pen"), await printed(here, "printer")]).toEqual([[], ["Alice: hello from paper"]]);
  });
});

describe("a repeat on another server", () => {
  const senders = (here: Servers) =>
    [
      [here.first, here.second],
      [here.second, here.first],
    ] as const;

  it("has the result of the first that the network is asked for", async () => {
    const here = await createServers();
    const { clock, first, send, sent, history } = here;
    for (const [index, [one, other]] of senders(here).entries()) {
      const gate = Promise.withResolvers<void>();
      first.kept.sent = gate.promise;
      const calls = [send(one, "a", `n-${index}`)];
      await pass(clock, 200);
      calls.push(send(other, "a", `n-${index}`));
      await pass(clock, 5000);
      gate.resolve();
      const [result, repeat] = await Promise.all(calls.map((call) => settle(clock, 5, call)));
      expect(result).toMatchObject(stored);
      expect(repeat).toEqual(result);
    }
    expect([sent(), textsOf(await history()), first.state.told]).toEqual([["a", "a"], ["a", "a"], 2]);
  });

  it("has the result of the first that still waits, and leaves it its place behind those that wait in its room", async () => {
    const here = await createServers();
    const { clock, first, second, send, sent, outbox } = here;
    for (const [index, [one, other]] of senders(here).entries()) {
      const gate = Promise.withResolvers<void>();
      first.kept.sent = gate.promise;
      const calls = [send(one, "before"), send(one, "between"), send(one, "a", `n-${index}`)];
      await pass(clock, 200);
      calls.push(send(other, "a", `n-${index}`));
      await pass(clock, 5000);
      gate.resolve();
      const [before, between, result, repeat] = await Promise.all(calls.map((call) => settle(clock, 5, call)));
      expect([before, between, result]).toMatchObject([stored, stored, stored]);
      expect(repeat).toEqual(result);
    }
    const texts = ["before", "between", "a"];
    expect([sent(), await outbox()]).toEqual([[...texts, ...texts], 0]);
    expect([first.created.length, second.created.length]).toEqual([6, 0]);
  });

  it("of a message whose outcome is already unknown hears so immediately", async () => {
    const here = await createServers();
    const { clock, first, second, send, sent, outbox } = here;
    first.kept.isLost = true;
    expect(await settle(clock, 1, send(first, "a", "n-1"))).toBe("delivery_unknown");
    expect(await settle(clock, 1, send(second, "b", "n-2"))).toBe("delivery_unknown");
    for (const server of [first, second]) {
      expect(await settle(clock, 1, send(server, "a", "n-1"))).toBe("delivery_unknown");
      expect(await settle(clock, 1, send(server, "b", "n-2"))).toBe("delivery_unknown");
    }
    expect([sent(), await outbox()]).toEqual([["a", "b"], 2]);
  });

  it("has the result of the first that is stored before anybody can be asked", async () => {
    const { clock, first, second, send, sent } = await createServers();
    const gate = Promise.withResolvers<void>();
    first.kept.sent = gate.promise;
    const call = send(first, "a", "n-1");
    await pass(clock, 200);
    second.state.isMute = true;
    const repeat = send(second, "a", "n-1");
    await pass(clock, 200);
    gate.resolve();
    const result = await settle(clock, 5, call);
    expect(result).toMatchObject(stored);
    second.state.isMute = false;
    expect(await settle(clock, 10, repeat)).toEqual(result);
    expect(sent()).toEqual(["a"]);
  });

  it("hears with the first why the network has refused it", async () => {
    const here = await createServers();
    const { clock, first, second, send, outbox } = here;
    const gate = Promise.withResolvers<void>();
    Object.assign(first.kept, { gate: gate.promise });
    first.network.mood = "refuse";
    const calls = [send(second, "no", "n-1"), send(first, "no", "n-1")].map((call) => settle(clock, 5, call));
    await pass(clock, 1000);
    gate.resolve();
    expect([await Promise.all(calls), await outbox()]).toEqual([["delivery_failed", "delivery_failed"], 0]);
  });

  it("sends what a killed server has left waiting", async () => {
    const { clock, first, second, send, sent } = await createServers();
    const gate = Promise.withResolvers<void>();
    first.kept.sent = gate.promise;
    void send(second, "before");
    void send(second, "a", "n-1");
    await pass(clock, 200);
    second.kill();
    gate.resolve();
    await pass(clock, 1000);
    expect(await settle(clock, 5, send(first, "a", "n-1"))).toMatchObject(stored);
    expect([sent(), first.created.length]).toEqual([["before", "a"], 2]);
  });

  it("of the last message only leaves those before it their places when the accepting server is killed", async () => {
    const { clock, first, second, send, sent } = await createServers();
    const gate = Promise.withResolvers<void>();
    first.kept.sent = gate.promise;
    for (const text of ["before", "one", "two"]) void send(second, text, text);
    await pass(clock, 200);
    second.kill();
    const repeat = send(first, "two", "two");
    await pass(clock, 2000);
    gate.resolve();
    expect(await settle(clock, 5, repeat)).toMatchObject(stored);
    const texts = ["before", "one", "two"];
    expect([sent(), first.created]).toEqual([texts, texts.map((text) => JSON.stringify([{ text: { text } }]))]);
  });

  it("keeps its message, and those that nobody repeats are not sent after 20 s", async () => {
    const { clock, first, second, send, sent } = await createServers();
    const gate = Promise.withResolvers<void>();
    first.kept.sent = gate.promise;
    for (const text of ["before", "one", "two"]) void send(second, text, text);
    await pass(clock, 200);
    second.kill();
    const repeat = send(first, "two", "two");
    await pass(clock, 25_000);
    gate.resolve();
    expect(await settle(clock, 5, repeat)).toMatchObject(stored);
    expect(sent()).toEqual(["before", "two"]);
    expect(await settle(clock, 5, send(first, "one", "one"))).toMatchObject(stored);
    expect(sent()).toEqual(["before", "two", "one"]);
  });

  it("of a message that the network never answers is unknown when the first is, and soon afterwards", async () => {
    const { clock, first, second, send, sent } = await createServers();
    first.network.mood = "silent";
    const begun = clock.now();
    const call = send(first, "a", "n-1").catch((error: unknown) => error);
    await pass(clock, 1000);
    expect(await settle(clock, 60, send(second, "a", "n-1"))).toBe("delivery_unknown");
    expect(await call).toMatchObject({ code: "delivery_unknown" });
    expect(clock.now() - begun).toBeLessThan(31_000);
    expect(await settle(clock, 6, send(second, "a", "n-1"))).toBe("delivery_unknown");
    expect(sent()).toEqual(["a"]);
  });
});

describe("a storage that fails", () => {
  it("where the account is does not hide why the network has refused a message", async () => {
    const { clock, first, second, send } = await createServers();
    first.network.mood = "refuse";
    Object.assign(first.state, { failing: "finishSend", failures: 1 });
    expect(await settle(clock, 20, send(second, "no"))).toBe("delivery_failed");
  });

  it("where the account is, delays messages, and is logged once a minute", async () => {
    const { clock, first, second, send, sent } = await createServers();
    Object.assign(first.state, { failing: "findNextSend", failures: 6 });
    for (const text of ["a", "b"]) expect(await settle(clock, 20, send(second, text))).toMatchObject(stored);
    expect([sent(), first.state.failures]).toEqual([["a", "b"], 0]);
    expect(first.log.lines.filter((line) => line.includes("find the next message"))).toHaveLength(1);
  });

  it("always in one of several calls makes nobody wait for as long", async () => {
    const { clock, first, second, send } = await createServers();
    first.state.isMute = true;
    Object.assign(second.state, { failing: "findNetworkMessage", failures: Infinity });
    expect(await settle(clock, 120, send(second, "a"))).toBe("delivery_unknown");
  });

  it("at the end of a server does not delay the callers that wait there", async () => {
    const { clock, first, second, send } = await createServers();
    first.kept.gate = new Promise(() => {});
    const waiting = settle(clock, 10, send(second, "a"));
    await clock.advance(0);
    second.state.failures = Infinity;
    const closed = second.telex.close().then(() => "closed");
    expect(await waiting).toBe("delivery_unknown");
    expect(await settle(clock, 10, closed)).toBe("closed");
  });
});

it("a server with an account that closes still says what has become of the messages that it was sending", async () => {
  const { clock, first, second, send, history } = await createServers();
  const gate = Promise.withResolvers<void>();
  first.kept.sent = gate.promise;
  const call = send(second, "a");
  await pass(clock, 200);
  expect(first.network.sent).toHaveLength(1);
  const closed = first.telex.close().then(() => "closed");
  gate.resolve();
  expect(await settle(clock, 1, call)).toMatchObject(stored);
  expect([await settle(clock, 10, closed), textsOf(await history())]).toEqual(["closed", ["a"]]);
});

it("a server with an account that closes makes nobody wait whose message it has not begun to send", async () => {
  const { clock, first, second, send, sent } = await createServers();
  const gate = Promise.withResolvers<void>();
  first.kept.sent = gate.promise;
  const begun = send(first, "begun");
  await pass(clock, 200);
  const closed = first.telex.close().then(() => "closed");
  expect(await settle(clock, 3, send(second, "later"))).toBe("bot_offline");
  gate.resolve();
  expect(await settle(clock, 1, begun)).toMatchObject(stored);
  expect([await settle(clock, 10, closed), sent()]).toEqual(["closed", ["begun"]]);
});

describe("a server with an account that drains", () => {
  it("ends what it sends, leaves what waits, and then lets another server take the account", async () => {
    const { clock, first, second, send, sent, history } = await createServers();
    const gate = Promise.withResolvers<void>();
    first.kept.sent = gate.promise;
    const begun = send(first, "begun");
    await pass(clock, 200);
    const waiting = send(first, "waiting");
    // The bot connects to the other server as soon as its connection is closed.
    const moved = first.telex.drain(0).then(() => second.connect());
    await pass(clock, 1000);
    expect([first.kept.lease?.isHeld, sent()]).toEqual([true, ["begun"]]);
    gate.resolve();
    expect(await settle(clock, 1, begun)).toMatchObject(stored);
    expect([await settle(clock, 1, moved), first.network.isConnected]).toEqual([true, false]);
    expect(await settle(clock, 10, first.connect())).toBe(false);
    expect(await settle(clock, 5, waiting)).toMatchObject(stored);
    expect(second.network.sent.map(({ parts }) => textOfParts(parts))).toEqual(["waiting"]);
    expect(textsOf(await history())).toEqual(["begun", "waiting"]);
  });

  it("begins at the request of any server, which says if none has the name", async () => {
    const { clock, first, second } = await createServers();
    const drain = (server: string) =>
      settle(clock, 6, second.telex.operator.server.drain(operator, { server, seconds: 0 }));
    expect(await drain("third")).toBe("not_found");
    expect(await drain("first")).toEqual({ server: "first" });
    expect([first.telex.isDraining(), second.telex.isDraining()]).toEqual([true, false]);
  });
});

describe("a server with an account that is killed", () => {
  it("before the network was asked: the message was not sent, and may be sent again", async () => {
    const { clock, first, second, send, outbox, sent } = await createServers();
    first.kept.gate = new Promise(() => {});
    const waiting = settle(clock, 60, send(second, "a", "n-1"));
    first.kill();
    expect([await waiting, await outbox(), sent()]).toEqual(["bot_offline", 0, []]);
    expect(await settle(clock, 60, second.connect())).toBe(true);
    await pass(clock, 2000);
    expect(await settle(clock, 5, send(second, "a", "n-1"))).toMatchObject(stored);
    expect(sent()).toEqual(["a"]);
  });

  it("after the network was asked: nobody knows, and nothing is sent again", async () => {
    const { clock, first, second, send, sent } = await createServers();
    first.network.mood = "silent";
    const call = send(second, "a", "n-1");
    await pass(clock, 200);
    expect(first.network.sent).toHaveLength(1);
    first.kill();
    expect(await settle(clock, 60, call)).toBe("delivery_unknown");
    expect(await settle(clock, 60, second.connect())).toBe(true);
    await pass(clock, 2000);
    expect(await settle(clock, 5, send(second, "a", "n-1"))).toBe("delivery_unknown");
    expect(sent()).toEqual(["a"]);
    await second.network.say({
      messageId: "echo-1",
      createTime: clock.now(),
      isOwn: true,
      sender: { ext: "9000", name: "bot" },
      segments: [{ type: "text", data: { text: "a" } }],
    });
    expect(await settle(clock, 5, send(second, "a", "n-1"))).toMatchObject(stored);
  });

  it("while the storage is away for a moment: the message is not sent later", async () => {
    const { clock, first, second, send, outbox, sent, storage } = await createServers();
    first.kept.gate = new Promise(() => {});
    const waiting = settle(clock, 60, send(second, "a"));
    await clock.advance(0);
    first.kill();
    second.state.failures = 3;
    expect([await waiting, await outbox(), sent()]).toEqual(["bot_offline", 0, []]);
    expect(second.state.failures).toBe(0);
    expect(await storage.records.count("messages")).toBe(0);
  });

  it("while another one takes the account: the message goes through that one", async () => {
    const { clock, first, second, send, history, sent } = await createServers();
    first.kept.gate = new Promise(() => {});
    const call = send(second, "a");
    await clock.advance(0);
    first.kill();
    const connected = second.connect();
    expect(await settle(clock, 60, call)).toMatchObject(stored);
    expect([await connected, sent(), textsOf(await history())]).toEqual([true, ["a"], ["a"]]);
  });
});

describe("a second connection of an account, on another server", () => {
  it("is refused while the first one is alive", async () => {
    const { clock, first, second } = await createServers();
    expect(await settle(clock, 10, second.connect())).toBe(false);
    expect([first.kept.asked, first.network.isConnected]).toEqual([1, true]);
  });

  it("takes the place of a dead one, whose server lets it go", async () => {
    const { clock, first, second, send } = await createServers();
    first.kept.isAlive = false;
    expect(await settle(clock, 10, second.connect())).toBe(true);
    await pass(clock, 2000);
    expect([first.network.isConnected, first.kept.lease?.isHeld]).toEqual([false, false]);
    expect(await settle(clock, 5, send(first, "by the second"))).toMatchObject(stored);
    expect(second.network.sent).toHaveLength(1);
    expect(second.log.lines.filter((line) => line.includes("gateway.account_taken"))).toHaveLength(1);
  });

  it("takes the place of one whose server says nothing for 5 s, long before its lease ends", async () => {
    const { clock, first, second } = await createServers();
    first.kill();
    const begun = clock.now();
    expect(await settle(clock, 10, second.connect())).toBe(true);
    expect(clock.now() - begun).toBeLessThan(6000);
  });
});

it("of two servers that both believe that they have an account, one sends each message", async () => {
  const { clock, first, second, send, sent, history } = await createServers();
  const gate = Promise.withResolvers<void>();
  Object.assign(first.kept, { gate: gate.promise, isAlive: false });
  const calls = ["a", "b", "c"].map((text) => send(first, text, text));
  await pass(clock, 200);
  // The first server hears nothing of the change, and its connection stays open.
  Object.defineProperty(first.kept.lease, "isHeld", { get: () => true });
  expect(await settle(clock, 10, second.connect())).toBe(true);
  await pass(clock, 1000);
  gate.resolve();
  for (const call of calls) expect(await settle(clock, 10, call)).toMatchObject(stored);
  expect([sent(), textsOf(await history())]).toEqual([
    ["a", "b", "c"],
    ["a", "b", "c"],
  ]);
});

describe("a server that takes an account", () => {
  it("does not wait for one that does not find out whether its connection is alive", async () => {
    const { clock, first, second } = await createServers();
    first.kept.answer = new Promise(() => {});
    const begun = clock.now();
    expect(await settle(clock, 20, second.connect())).toBe(true);
    expect(clock.now() - begun).toBeLessThan(7000);
  });

  it("does not get it any more when it has let go of it meanwhile", async () => {
    const { clock, first, second, storage } = await createServers();
    first.kill();
    const connecting = second.connect();
    await clock.advance(100);
    await second.kept.lease?.release();
    expect(await settle(clock, 20, connecting)).toBe(false);
    const [lease] = await storage.leases.listLeases("bot/");
    expect(lease?.holder).toMatch(/^first/);
  });
});

it("a model answers once, whichever server was asked, and however often", async () => {
  const { clock, first, second, place, send, sent, history } = await createServers();
  const { users, groups } = first.telex.operator;
  const ada = await users.add(operator, { nickname: "Ada", ai: "echo" });
  await groups.amendMembers(operator, { groupId: place.groupId, add: [ada.id] });
  await pass(clock, 1000);
  const calls = [send(second, "@Ada hello", "n-1"), send(first, "@Ada hello", "n-1")];
  for (const call of calls) expect(await settle(clock, 5, call)).toMatchObject(stored);
  await pass(clock, 2000);
  expect(await settle(clock, 5, send(second, "@Ada hello", "n-1"))).toMatchObject(stored);
  await pass(clock, 2000);
  expect([sent().length, second.network.sent.length]).toEqual([2, 0]);
  expect(sent()[1]).toMatch(/^\[reply\].*hello/);
  expect((await history()).map(({ userId }) => userId)).toEqual(["1", String(ada.id)]);
});

it("a room shows on every server whether its bot is online, and who is in its group", async () => {
  const { clock, first, second, place, callerOf } = await createServers();
  const alice = await callerOf(second);
  const find = async () => {
    const room = await second.telex.rooms.find(alice, { groupId: place.groupId });
    return room.bot;
  };
  expect(await find()).toEqual({ account: "bot-1", online: true });
  const members = await settle(clock, 5, second.telex.rooms.members(alice, { groupId: place.groupId }));
  expect(JSON.stringify(members)).toContain("told by first");
  await first.kept.lease?.release();
  first.network.isConnected = false;
  await pass(clock, 2000);
  expect(await find()).toEqual({ account: "bot-1", online: false });
});

it("a group with very many members is told as far as an event of the bus has room", async () => {
  const { clock, first, second, place, callerOf } = await createServers();
  const alice = await callerOf(second);
  const name = "名".repeat(100);
  first.kept.members = Array.from({ length: 5000 }, (_none, index) => ({
    ext: `${index}`,
    nickname: name,
    card: name,
  }));
  const listed = await settle(clock, 5, second.telex.rooms.members(alice, { groupId: place.groupId }));
  if (typeof listed === "string") throw new Error(listed);
  expect(JSON.stringify(listed)).toContain(name);
  expect(first.state.largest).toBeGreaterThan(500_000);
  expect(first.state.largest).toBeLessThan(1_000_000);
});

it("a question of a later version is not answered by something else, and its server logs why", async () => {
  const { clock, second, place, callerOf } = await createServers();
  const alice = await callerOf(second);
  second.state.isLater = true;
  const listed = await settle(clock, 5, second.telex.rooms.members(alice, { groupId: place.groupId }));
  expect(JSON.stringify(listed)).not.toContain("told by first");
  expect(second.log.lines.join("\n")).toContain("is of a version that cannot do this. Update it.");
});

it("a recall reaches the network from every server", async () => {
  const { clock, first, second, place, send, callerOf } = await createServers();
  const sent = await settle(clock, 5, send(second, "oops"));
  if (typeof sent === "string") throw new Error(sent);
  const { messageId } = sent;
  await second.telex.messages.recall(await callerOf(second), { groupId: place.groupId, messageId });
  await pass(clock, 500);
  expect(first.network.recalled).toMatchObject([{ account: "bot-1", messageIds: ["m-1"] }]);
});

it("a recall that the network never answers is not asked for again and again", async () => {
  const { clock, first, second, place, send, callerOf } = await createServers();
  const sent = await settle(clock, 5, send(second, "oops"));
  if (typeof sent === "string") throw new Error(sent);
  first.kept.answer = new Promise(() => {});
  const before = second.state.questions;
  await second.telex.messages.recall(await callerOf(second), { groupId: place.groupId, messageId: sent.messageId });
  await pass(clock, 40_000);
  const asked = second.state.questions;
  expect(asked).toBeGreaterThan(before);
  await pass(clock, 5000);
  expect(second.state.questions).toBe(asked);
});

it("a reaction reaches the network from every server, and without an answer its outcome is unknown", async () => {
  const { clock, storage, first, second, place, send } = await createServers();
  const sent = await settle(clock, 5, send(second, "hello"));
  if (typeof sent === "string") throw new Error(sent);
  const group = (await storage.groups.findRoom(place.groupId))?.group;
  if (group === undefined) throw new Error("The room is missing.");
  const react = (isRemoval: boolean) =>
    second.telex.reactInNetwork(group, sent.messageId, { emoji: "👍", isRemoval }).then(() => "done");
  expect(await settle(clock, 5, react(false))).toBe("done");
  expect(await settle(clock, 5, react(true))).toBe("done");
  const told = { account: "bot-1", messageIds: ["m-1"], emoji: "👍" };
  expect(first.network.reacted).toMatchObject([
    { ...told, isRemoval: false },
    { ...told, isRemoval: true },
  ]);
  first.network.mood = "refuse";
  expect(await settle(clock, 5, react(false))).toBe("delivery_failed");
  first.kill();
  expect(await settle(clock, 10, react(false))).toBe("delivery_unknown");
  await pass(clock, 60_000);
  expect(await settle(clock, 10, react(false))).toBe("bot_offline");
});

it("an echo that another server hears before the answer is the message that is being sent", async () => {
  const { clock, first, second, send, history, outbox } = await createServers();
  // The gateway of the second one hears events, too, as that of a bot that posts them does.
  second.network.isConnected = true;
  const gate = Promise.withResolvers<void>();
  first.kept.sent = gate.promise;
  const call = send(first, "hello");
  await clock.advance(0);
  const echo = second.network.say({
    messageId: "m-1",
    isOwn: true,
    createTime: clock.now(),
    sender: { ext: "9000", name: "bot" },
    segments: [{ type: "text", data: { text: "hello" } }],
  });
  await pass(clock, 1000);
  expect(await history()).toEqual([]);
  gate.resolve();
  const sent = await settle(clock, 5, call);
  expect(await settle(clock, 5, echo)).toMatchObject({ outcome: "known" });
  expect([sent, textsOf(await history()), await outbox()]).toEqual([expect.objectContaining(stored), ["hello"], 0]);
});

it("an echo of a stored message waits for no message that is being sent", async () => {
  const { clock, first, send } = await createServers();
  await settle(clock, 5, send(first, "before"));
  first.kept.sent = new Promise(() => {});
  void send(first, "being sent").catch(() => undefined);
  await clock.advance(0);
  const shown = first.network.say({
    messageId: "m-1",
    isOwn: true,
    createTime: clock.now(),
    sender: { ext: "9000", name: "bot" },
    segments: [{ type: "text", data: { text: "before" } }],
  });
  expect(await settle(clock, 0.2, shown)).toMatchObject({ outcome: "known" });
});

it("a message that its echo has stored is told once, also if the answer to the server of its sender is lost", async () => {
  const { clock, first, second, send, history } = await createServers();
  const gate = Promise.withResolvers<void>();
  first.kept.sent = gate.promise;
  first.state.isMute = true;
  const call = send(second, "a");
  await pass(clock, 200);
  const echo = first.network.say({
    messageId: "m-1",
    isOwn: true,
    createTime: clock.now(),
    sender: { ext: "9000", name: "bot" },
    segments: [{ type: "text", data: { text: "a" } }],
  });
  expect(await settle(clock, 10, echo)).toMatchObject({ outcome: "stored" });
  gate.resolve();
  expect(await settle(clock, 20, call)).toMatchObject(stored);
  expect([first.state.told, second.state.told, textsOf(await history())]).toEqual([1, 0, ["a"]]);
});

it("two servers that receive from an unknown group simultaneously add one room", async () => {
  const clock = createManualClock();
  const storage = { ...createMemoryStorage({ clock }), close: () => Promise.resolve() };
  const shared = { storage, bus: createLocalBus(), clock, blobs: createMemoryBlobs({ clock }) };
  const servers = [];
  for (const name of ["first", "second"]) {
    const server = await startServer(name, { ...shared, unknownRooms: "create" });
    server.network.isConnected = true;
    servers.push(server);
  }
  const message = { room: { kind: "group", ext: "777" }, createTime: clock.now() } as const;
  const receipts = await Promise.all(
    servers.map(({ network }, index) => network.say({ ...message, messageId: `said-${index}` })),
  );
  const rooms = await servers[0]?.telex.operator.groups.list(operator, { limit: 100 });
  expect(new Set(receipts.map((receipt) => "groupId" in receipt && receipt.groupId)).size).toBe(1);
  expect(rooms?.filter(({ ext }) => ext === "777")).toHaveLength(1);
});

for (const seed of [1, 2, 3]) {
  it(`over a bus with losses (seed ${seed}) each message has one result, which is true`, async () => {
    const here = await createServers({ bus: withLosses(createLocalBus(), seed) });
    const { clock, first, second, send } = here;
    const results = new Map<string, unknown>();
    for (let number = 1; number <= 12; number += 1) {
      const text = `text ${number}`;
      if (number % 4 === 0) first.network.mood = "refuse";
      else first.network.mood = number % 3 === 0 ? "echo" : "take";
      results.set(text, await settle(clock, 60, send(second, text, number % 2 === 0 ? `n-${number}` : undefined)));
    }
    const accepted = [...results].filter(([, result]) => typeof result === "object").map(([text]) => text);
    const others = new Set([...results.values()].filter((result) => typeof result === "string"));
    expect(accepted).toHaveLength(9);
    expect([...others]).toEqual(["delivery_failed"]);
    expect(here.sent()).toEqual(accepted);
    expect(textsOf(await here.history())).toEqual(accepted);
    expect(await here.outbox()).toBe(0);
  });
}
