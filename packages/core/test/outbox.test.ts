import { createMemoryBlobs } from "@telex/blobs/memory";
import { createMemoryStorage } from "@telex/storage-memory";
import { describe, expect, it } from "vitest";
import { createTelex, type Gateway, type GatewayOutcome, operator } from "../src/index.ts";
import type { IncomingMessage } from "../src/networks/incoming.ts";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createManualClock, createMemoryNetwork, type MemoryNetwork, ticks } from "@telex/conformance/testing";
import { textOfParts } from "@telex/conformance/testing";
import { createConnection, createKit, fileOf, type Kit, type KitOptions, segmentsOf } from "./kit.ts";

type Message = Parameters<Kit["telex"]["messages"]["send"]>[1]["message"];

interface Scene extends Kit {
  readonly network: MemoryNetwork;
  readonly out: number;
  readonly send: (message: Message, nonce?: string, telex?: Kit["telex"]) => Promise<{ readonly messageId: number }>;
  readonly list: () => Promise<readonly { readonly id: string; readonly userId: string; readonly content: string }[]>;
  /** The messages that the network has got. */
  readonly sent: () => readonly string[];
}

async function scene(
  {
    gateway = (one: Gateway) => one,
    ...options
  }: KitOptions & { readonly gateway?: (gateway: Gateway) => Gateway } = {},
  network = createMemoryNetwork(),
): Promise<Scene> {
  const kit = await createKit({ gateways: [gateway(network.gateway)], ...options });
  const { groupId } = await kit.telex.operator.groups.add(operator, {
    groupType: 0,
    name: "Out",
    ext: "500",
    members: [1, 2],
  });
  const place = { groupId, groupType: 0 } as const;
  return {
    ...kit,
    network,
    out: groupId,
    send: (message, nonce, telex = kit.telex) =>
      telex.messages.send(kit.alice, { ...place, message, ...(nonce === undefined ? {} : { nonce }) }),
    list: async () => (await kit.telex.messages.history(kit.alice, place)).groupMessages.toReversed(),
    sent: () => network.sent.map(({ parts }) => textOfParts(parts)),
  };
}

/** Another server, or the same one after a crash, with the same network. */
function restart({ storage, clock }: Kit, network: MemoryNetwork): Promise<Kit["telex"]> {
  const images = createSharpEngine();
  return createTelex({ storage, clock, images, blobs: createMemoryBlobs(), gateways: [network.gateway] });
}

const echo = (content: string, messageId = "echo-1"): Partial<IncomingMessage> => ({
  messageId,
  createTime: createManualClock().now(),
  isOwn: true,
  sender: { ext: "9000", name: "bot" },
  segments: [{ type: "text", data: { text: content } }],
});

const unknown = { code: "delivery_unknown" };
const offline = { code: "bot_offline" };

/** A send without an outcome: the network takes the message and never answers. */
async function sendInVain(here: Scene, message: Message, nonce?: string): Promise<void> {
  here.network.mood = "silent";
  const failed = here.send(message, nonce).catch((error: unknown) => error);
  await ticks();
  await here.clock.advance(30_000);
  expect(await failed).toMatchObject(unknown);
  here.network.mood = "take";
}

const textsOf = (messages: readonly { readonly content: string }[]) =>
  messages.map((message) => segmentsOf(message)[0]?.["text"]?.["text"]);

describe("a repeat with a nonce", () => {
  it("never asks the network again, immediately, later, or after a restart", async () => {
    const here = await scene();
    const [first, ...others] = await Promise.all([here.send("hi", "n"), here.send("hi", "n"), here.send("hi", "n")]);
    const again = [...others, await here.send("hi", "n")];
    const later = await restart(here, createMemoryNetwork());
    again.push(await here.send("hi", "n", later));
    for (const one of again) expect(one).toEqual(first);
    expect([here.sent(), textsOf(await here.list())]).toEqual([["hi"], ["hi"]]);
  });

  it("is mirrored once", async () => {
    const here = await scene();
    const { connection, events } = createConnection(here.bob);
    await here.telex.listen(connection, { echo: false, since: null }).ready;
    await Promise.all([here.send("hi", "n"), here.send("hi", "n")]);
    await ticks();
    expect(events).toMatchObject([{ kind: "message" }]);
  });

  it("with another content is a conflict, while the first is on its way and afterwards", async () => {
    const here = await scene();
    const first = here.send("hi", "n");
    await expect(here.send("ho", "n")).rejects.toMatchObject({ code: "nonce_conflict" });
    await first;
    await expect(here.send("ho", "n")).rejects.toMatchObject({ code: "nonce_conflict" });
    expect(here.sent()).toEqual(["hi"]);
  });

  it("gets its message also while the account is offline", async () => {
    const here = await scene();
    const first = await here.send("hi", "n");
    here.network.isOnline = false;
    expect(await here.send("hi", "n")).toEqual(first);
    await expect(here.send("ho", "m")).rejects.toMatchObject(offline);
    here.network.isOnline = true;
    await here.send("ho", "m");
    expect(here.sent()).toEqual(["hi", "ho"]);
  });

  it("asks again after a refusal", async () => {
    const here = await scene();
    here.network.mood = "refuse";
    await expect(here.send("hi", "n")).rejects.toMatchObject({ code: "delivery_failed" });
    here.network.mood = "take";
    await here.send("hi", "n");
    expect(here.sent()).toEqual(["hi"]);
  });

  it("stays unknown until the network shows the message, and is stored as its sender's then", async () => {
    const here = await scene();
    await sendInVain(here, "hi  there", "n");
    await expect(here.send("hi  there", "n")).rejects.toMatchObject(unknown);
    expect([here.sent(), await here.list()]).toEqual([["hi  there"], []]);
    const { connection, events } = createConnection(here.bob);
    await here.telex.listen(connection, { echo: false, since: null }).ready;
    const receipt = await here.network.say(echo("hi there"));
    const [stored, ...others] = await here.list();
    expect(receipt).toEqual({ outcome: "stored", groupId: here.out, messageId: Number(stored?.id) });
    expect([stored?.userId, textsOf([stored ?? { content: "[]" }]), others]).toEqual(["1", ["hi  there"], []]);
    expect(await here.send("hi  there", "n")).toMatchObject({ messageId: Number(stored?.id) });
    expect(await here.network.say(echo("hi there"))).toMatchObject({ outcome: "known" });
    await ticks();
    expect(events).toMatchObject([{ kind: "message", data: { userId: "1" } }]);
  });

  it("is unknown after a crash while the network was asked, and what waited is sent", async () => {
    const crashed = createMemoryNetwork();
    const here = await scene({}, crashed);
    crashed.mood = "silent";
    for (const [text, nonce] of [
      ["asked", "n-1"],
      ["waits", "n-2"],
    ] as const)
      void here.send(text, nonce).catch(() => undefined);
    await ticks();
    expect(here.sent()).toEqual(["asked"]);
    const next = createMemoryNetwork();
    const later = await restart(here, next);
    await expect(here.send("asked", "n-1", later)).rejects.toMatchObject(unknown);
    await here.send("waits", "n-2", later);
    expect(next.sent.map(({ parts }) => textOfParts(parts))).toEqual(["waits"]);
    expect(await next.say(echo("asked"))).toMatchObject({ outcome: "stored" });
    await here.send("asked", "n-1", later);
    // The server that was taken for dead goes on: its message was sent by the other one.
    await here.clock.advance(30_000);
    await ticks();
    expect(here.sent()).toEqual(["asked"]);
    expect(textsOf(await here.list())).toEqual(["waits", "asked"]);
  });
});

it("what waited at a crash is not sent with the next message of its room", async () => {
  const here = await scene();
  here.network.mood = "silent";
  for (const text of ["asked", "waits"]) void here.send(text).catch(() => undefined);
  await ticks();
  const next = createMemoryNetwork();
  const later = await restart(here, next);
  await here.send("new", undefined, later);
  expect(next.sent.map(({ parts }) => textOfParts(parts))).toEqual(["new"]);
});

describe("a message that waits", () => {
  it("is offline when its account is removed, and free to be sent again", async () => {
    const account = { isThere: true };
    const here = await scene({
      gateway: (gateway) => ({
        ...gateway,
        findAccount: (name) => (account.isThere ? gateway.findAccount(name) : null),
      }),
    });
    here.network.mood = "silent";
    const sends = ["1", "2"].map((text) => here.send(text, text).catch((error: unknown) => error));
    await ticks();
    account.isThere = false;
    await here.clock.advance(30_000);
    expect(await Promise.all(sends)).toMatchObject([unknown, offline]);
    Object.assign(account, { isThere: true });
    here.network.mood = "take";
    await here.send("2", "2");
    expect(here.sent()).toEqual(["1", "2"]);
  });

  it("is stored although its time is over, if it began in time", async () => {
    const answer = Promise.withResolvers<void>();
    const here = await scene({
      limits: { gatewayQueueTime: 5000 },
      gateway: (gateway) => ({
        ...gateway,
        async send(message) {
          const sent = await gateway.send(message);
          await answer.promise;
          return sent;
        },
      }),
    });
    const first = here.send("in time");
    const second = here.send("too late").catch((error: unknown) => error);
    await ticks();
    await here.clock.advance(6000);
    expect(await second).toMatchObject(offline);
    answer.resolve();
    expect((await first).messageId).toBeGreaterThan(0);
    expect(here.sent()).toEqual(["in time"]);
  });

  it("is offline when the account is, and free to be sent again", async () => {
    const here = await scene();
    here.network.mood = "silent";
    const sends = ["1", "2", "3"].map((text) => here.send(text, text).catch((error: unknown) => error));
    await ticks();
    here.network.isOnline = false;
    await here.clock.advance(30_000);
    expect(await Promise.all(sends)).toMatchObject([unknown, offline, offline]);
    here.network.isOnline = true;
    here.network.mood = "take";
    await here.send("2", "2");
    expect(here.sent()).toEqual(["1", "2"]);
  });

  it("counts as not sent after 10 minutes", async () => {
    const here = await scene();
    here.network.mood = "silent";
    const sends = Array.from({ length: 22 }, (_, index) => here.send(String(index)).catch((error: unknown) => error));
    await ticks();
    for (let count = 0; count < sends.length; count += 1) {
      await here.clock.advance(30_000);
      await ticks();
    }
    expect(await Promise.all(sends.slice(-3))).toMatchObject([unknown, offline, offline]);
    expect(here.sent()).toHaveLength(20);
  });

  it("does not count when its outcome is unknown", async () => {
    const here = await scene({ limits: { gatewayQueue: 2 } });
    for (const text of ["1", "2", "3"]) await sendInVain(here, text, text);
    await here.send("4");
    expect(here.sent()).toHaveLength(4);
  });

  it("is started while the message before it is being stored, and given to the network afterwards", async () => {
    const storage = createMemoryStorage();
    const stored = Promise.withResolvers<void>();
    const calls: string[] = [];
    const append: typeof storage.messages.append = async (input) => {
      calls.push("append");
      await stored.promise;
      return storage.messages.append(input);
    };
    const startSend: typeof storage.messages.startSend = (start) => {
      calls.push("start");
      return storage.messages.startSend(start);
    };
    const here = await scene({ storage: { ...storage, messages: { ...storage.messages, append, startSend } } });
    const sends = ["1", "2", "3"].map((text) => here.send(text));
    await ticks();
    expect([calls, here.sent()]).toEqual([["start", "append", "start"], ["1"]]);
    stored.resolve();
    await Promise.all(sends);
    expect(textsOf(await here.list())).toEqual(["1", "2", "3"]);
  });

  it("is not sent if its start cannot be noted", async () => {
    const storage = createMemoryStorage();
    let isBroken = true;
    const startSend: typeof storage.messages.startSend = (start) =>
      isBroken ? Promise.reject(new Error("the disk is gone")) : storage.messages.startSend(start);
    const here = await scene({ storage: { ...storage, messages: { ...storage.messages, startSend } } });
    await expect(here.send("hi", "n")).rejects.toThrow("the disk is gone");
    expect(here.sent()).toEqual([]);
    isBroken = false;
    await here.send("hi", "n");
    expect(here.sent()).toEqual(["hi"]);
  });
});

describe("what the network has only a part of", () => {
  const partly = (gateway: Gateway): Gateway => ({
    ...gateway,
    async send(message): Promise<GatewayOutcome> {
      const parts = message.parts.filter(({ kind }) => kind === "text");
      const sent = await gateway.send({ ...message, parts });
      return sent.outcome === "delivered" ? { ...sent, outcome: "partly", otherIds: ["file-1"], parts } : sent;
    },
  });

  it("is stored as far as it went, and a repeat gets the same error", async () => {
    const here = await scene({ gateway: partly });
    const file = await here.telex.bucket.upload(here.alice, { file: fileOf("text", "note.txt") });
    const message = [
      { type: "text", data: { text: "see " } },
      { type: "file", data: { file_id: file.file_id, name: "note.txt" } },
    ] as const;
    const failure = { ...unknown, reason: "bot_partly" };
    const { connection, events } = createConnection(here.bob);
    await here.telex.listen(connection, { echo: false, since: null }).ready;
    for (let count = 0; count < 3; count += 1) {
      await expect(here.send([...message], "n")).rejects.toMatchObject(failure);
    }
    await ticks();
    expect(events).toMatchObject([{ data: { userId: "1", type: 0, content: '[{"text":{"text":"see "}}]' } }]);
    for (const id of ["m-1", "file-1"]) {
      expect(await here.network.say(echo("whatever", id))).toMatchObject({ outcome: "known" });
    }
    expect([here.sent(), (await here.list()).length]).toEqual([["see "], 1]);
  });

  it("is found by the echo of its texts after a crash", async () => {
    const here = await scene();
    const file = await here.telex.bucket.upload(here.alice, { file: fileOf("text", "note.txt") });
    const parts: Message = [
      { type: "text", data: { text: "see" } },
      { type: "file", data: { file_id: file.file_id, name: "note.txt" } },
    ];
    await sendInVain(here, parts, "n");
    await here.network.say(echo("see"));
    expect(await here.list()).toMatchObject([{ userId: "1", type: 0, content: '[{"text":{"text":"see"}}]' }]);
    await expect(here.send(parts, "n")).rejects.toMatchObject({ ...unknown, reason: "bot_partly" });
  });
});

describe("an echo", () => {
  it("of what the owner says elsewhere is nobody else's", async () => {
    const here = await scene();
    await sendInVain(here, "hello", "n");
    await here.network.say(echo("good evening", "e-1"));
    await here.network.say({ ...echo("hello", "e-2"), createTime: here.clock.now() - 3_600_000 });
    await here.network.say({ ...echo("hello", "e-5"), createTime: here.clock.now() + 3_600_000 });
    expect((await here.list()).map(({ userId }) => userId)).toEqual(["9000", "9000", "9000"]);
    await here.network.say({ ...echo("hello", "e-3"), isOwn: false });
    await here.network.say({ ...echo("hello", "e-4"), createTime: here.clock.now() });
    expect((await here.list()).map(({ userId }) => userId)).toEqual(["9000", "9000", "9000", "9000", "1"]);
  });

  it("of a file is the sender's by its name", async () => {
    const here = await scene();
    const { file_id } = await here.telex.bucket.upload(here.alice, { file: fileOf("text", "note.txt") });
    await sendInVain(here, [{ type: "file", data: { file_id, name: "note.txt" } }], "n");
    for (const [messageId, name] of [
      ["e-1", "photos.zip"],
      ["e-2", "note.txt"],
    ] as const) {
      const segments = [{ type: "file" as const, data: { name } }];
      await here.network.say({ ...echo("", messageId), createTime: here.clock.now(), segments });
    }
    expect((await here.list()).map(({ userId }) => userId)).toEqual(["9000", "1"]);
  });

  it("of a mention that the network got as a text is the sender's message", async () => {
    const here = await scene();
    await here.telex.operator.users.amend(operator, { id: 2, ext: null });
    await sendInVain(
      here,
      [
        { type: "at", data: { userId: 2 } },
        { type: "text", data: { text: "tea?" } },
      ],
      "n",
    );
    expect(here.sent()).toEqual(["@鲍勃 tea?"]);
    await here.network.say({ ...echo("@鲍勃 tea?"), createTime: here.clock.now() });
    expect((await here.list()).map(({ userId }) => userId)).toEqual(["1"]);
  });

  it("of a message without an id in the answer is known by what it says only while that is open", async () => {
    const here = await scene({
      gateway: (gateway) => ({
        ...gateway,
        async send(message) {
          const sent = await gateway.send(message);
          await here.network.say({ ...echo("queued"), createTime: here.clock.now() });
          return sent.outcome === "delivered" ? { ...sent, messageId: null } : sent;
        },
      }),
    });
    const sent = here.send("queued");
    await ticks();
    await here.clock.advance(5000);
    const { messageId } = await sent;
    expect(await here.list()).toMatchObject([{ id: String(messageId), userId: "1" }]);
  });
});
