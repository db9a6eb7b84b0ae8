import { createMemoryBlobs } from "@telex/blobs/memory";
import { createMemoryStorage } from "@telex/storage-memory";
import { describe, expect, it } from "vitest";
import sharp from "sharp";
import { createManualClock, createMemoryNetwork, type MemoryNetwork, ticks } from "@telex/conformance/testing";
import type { ByteStream } from "@telex/files/blobs";
import {
  createLocalBus,
  createTelex,
  type Gateway,
  type GatewayInbox,
  type GatewayMessage,
  operator,
} from "../src/index.ts";
import type { IncomingMessage } from "../src/networks/incoming.ts";
import { createSharpEngine } from "@telex/image-text/sharp";
import { bytesOf, createConnection, createKit, fileOf, type Kit, type KitOptions, segmentsOf } from "./kit.ts";

type GroupType = 0 | 3 | 4 | 5;

interface Scene extends Kit {
  readonly network: MemoryNetwork;
  /** A room of type 0 that stands for the group 500, with alice and bob. */
  readonly out: number;
  readonly send: (message: Said) => Promise<{ createTime: number; messageId: number }>;
  readonly list: () => Promise<readonly { readonly id: string; readonly content: string }[]>;
}

/** A line of the log without its level and cause. */
const shortOf = (line: string): string => /^\w+ (\S+ \{.*?\})/.exec(line)?.[1] ?? line;

type Said = Parameters<Kit["telex"]["messages"]["send"]>[1]["message"];

const addRoom = async ({ telex }: Kit, groupType: GroupType, ext = "500", bot?: string): Promise<number> => {
  const named = bot === undefined ? {} : { bot };
  return (await telex.operator.groups.add(operator, { groupType, name: "Out", ext, members: [1, 2], ...named }))
    .groupId;
};

/** A second room for a group of a network, as installations have it from earlier versions. */
const storeRoom = async (
  { storage, clock }: Pick<Scene, "storage" | "clock">,
  { groupType, bot = null }: { readonly groupType: GroupType; readonly bot?: string | null },
): Promise<number> => {
  const room = { groupType, name: "Earlier", ext: "500", bot, avatar: null, createdAt: clock.now() };
  return (await storage.groups.appendGroup(room, [1, 2])).groupId;
};

async function scene(options: KitOptions & { readonly gateway?: (gateway: Gateway) => Gateway } = {}): Promise<Scene> {
  const { gateway = (one: Gateway) => one, ...others } = options;
  const network = createMemoryNetwork();
  const kit = await createKit({ gateways: [gateway(network.gateway)], ...others });
  const out = await addRoom(kit, 0);
  return {
    ...kit,
    network,
    out,
    send: (message) => kit.telex.messages.send(kit.alice, { groupId: out, groupType: 0, message }),
    list: async () =>
      (await kit.telex.messages.history(kit.alice, { groupId: out, groupType: 0 })).groupMessages.toReversed(),
  };
}

const texts = (messages: readonly { readonly content: string }[]): unknown[] =>
  messages.map((message) => segmentsOf(message)[0]?.["text"]?.["text"]);

const offline = { code: "bot_offline" };
const text = (content: string): IncomingMessage["segments"] => [{ type: "text", data: { text: content } }];

const png = (): Promise<Buffer> =>
  sharp({ create: { width: 4, height: 4, channels: 3, background: "red" } })
    .png()
    .toBuffer();

const open = (content: string | Uint8Array) => (): Promise<ByteStream> => Promise.resolve(bytesOf(content));

async function readAll(bytes: ByteStream): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe("sending through a gateway", () => {
  it("stores what the network has taken, under the network's id", async () => {
    const { send, list, network, out, storage } = await scene();
    const { messageId } = await send("你好");
    expect(network.sent).toMatchObject([
      { room: { kind: "group", ext: "500" }, parts: [{ kind: "text", text: "你好" }] },
    ]);
    expect(texts(await list())).toEqual(["你好"]);
    const known = await storage.messages.findNetworkMessage({ account: "bot-1", groupId: out, messageId: "m-1" });
    expect(known).toMatchObject({ groupId: out, id: messageId, external: false, userId: "1", botMessageId: "m-1" });
  });

  it.each([
    ["the connection is closed", (network: MemoryNetwork) => (network.isConnected = false)],
    ["the account is signed out", (network: MemoryNetwork) => (network.isOnline = false)],
  ])("says immediately that it is offline if %s, and stores nothing", async (_what, change) => {
    const { send, list, network } = await scene();
    change(network);
    await expect(send("hello")).rejects.toMatchObject(offline);
    expect([network.sent, await list()]).toEqual([[], []]);
  });

  it("takes the official account for the types 0 and 3, and the room's own for 4 and 5", async () => {
    const official = createMemoryNetwork({ name: "a", account: { account: "official", groupTypes: [0, 3] } });
    const personal = createMemoryNetwork({ name: "b", account: { account: "mine", groupTypes: [4, 5] } });
    const kit = await createKit({ gateways: [personal.gateway, official.gateway] });
    const send = async (groupType: GroupType, bot?: string) => {
      const groupId = await addRoom(kit, groupType, `ext-${groupType}`, bot);
      return kit.telex.messages.send(kit.alice, { groupId, groupType, message: `to ${groupType}` });
    };
    await send(0);
    await send(3);
    await send(4, "mine");
    await send(5, "mine");
    await expect(send(4)).rejects.toMatchObject(offline);
    await expect(send(4, "official")).rejects.toMatchObject(offline);
    await expect(send(5, "nobody")).rejects.toMatchObject(offline);
    const got = ({ sent }: MemoryNetwork) => sent.map(({ account, room }) => [account, room.kind, room.ext]);
    expect(got(official)).toEqual([
      ["official", "group", "ext-0"],
      ["official", "private", "ext-3"],
    ]);
    expect(got(personal)).toEqual([
      ["mine", "group", "ext-4"],
      ["mine", "private", "ext-5"],
    ]);
  });

  it("gives pictures and files with their bytes, names and types", async () => {
    const { telex, alice, send, network } = await scene();
    const picture = await png();
    const image = await telex.bucket.upload(alice, { file: fileOf(picture, "red.png") });
    const file = await telex.bucket.upload(alice, { file: fileOf("text", "note.txt", "text/plain") });
    await send([
      { type: "image", data: { file_id: image.file_id } },
      { type: "file", data: { file_id: file.file_id, name: "笔记.txt" } },
    ]);
    const parts = network.sent[0]?.parts ?? [];
    const read = async (part: (typeof parts)[number]) => {
      if (part.kind !== "image" && part.kind !== "file") return null;
      const { name, mime, size, md5 } = part.file;
      return { name, mime, size, md5, bytes: await readAll(await part.file.open()) };
    };
    const md5 = image.file_id;
    expect(await Promise.all(parts.map(read))).toEqual([
      { name: `${md5}.png`, mime: "image/png", size: picture.length, md5, bytes: picture },
      { name: "笔记.txt", mime: "text/plain", size: 4, md5: file.file_id, bytes: Buffer.from("text") },
    ]);
  });

  it("gives addresses at which pictures and files can be downloaded, also before the message is stored", async () => {
    const urls: (string | null)[] = [];
    const asking = (gateway: Gateway): Gateway => ({
      ...gateway,
      async send(message) {
        for (const part of message.parts) if ("file" in part) urls.push(await part.file.url());
        return { outcome: "offline" };
      },
    });
    const send = async (options: KitOptions) => {
      const here = await scene({ ...options, gateway: asking });
      const image = await here.telex.bucket.upload(here.alice, { file: fileOf(await png(), "red.png") });
      const file = await here.telex.bucket.upload(here.alice, { file: fileOf("text", "note.txt") });
      const segments = [
        { type: "image", data: { file_id: image.file_id } },
        { type: "file", data: { file_id: file.file_id, name: "笔 记.txt" } },
      ] as const;
      await expect(here.send([...segments])).rejects.toMatchObject(offline);
      return { here, image };
    };
    const { here, image } = await send({ baseUrl: "https://chat.example/telex/" });
    const [picture, file] = urls.splice(0).map((url) => url?.replace("https://chat.example/telex", ""));
    expect(picture).toBe(`/download/${image.file_id}.png`);
    const [, path = "", name = ""] = /^\/downloadFile\/([\w-]+)\/ext\/(.+)$/.exec(file ?? "") ?? [];
    expect(decodeURIComponent(name)).toBe("笔 记.txt");
    expect(await here.telex.bucket.downloadFile(here.bob, { path, where: "ext", name: "x" })).toMatchObject({
      size: 4,
    });
    await send({});
    await send({ baseUrl: "https://chat.example", access: { downloads: "token" } });
    expect(urls).toEqual([null, null, null, null]);
    await expect(createKit({ baseUrl: "chat.example" })).rejects.toThrow('The option "baseUrl" of createTelex must be');
  });

  it("sends and stores messages to one room one after another, and a stuck room delays nobody else", async () => {
    const waiting: (() => void)[] = [];
    const begun: string[] = [];
    const here = await scene({
      gateway: (gateway) => ({
        ...gateway,
        async send(message) {
          await message.begin();
          begun.push(message.room.ext);
          if (message.room.ext === "500") await new Promise<void>((resolve) => waiting.push(resolve));
          return gateway.send(message);
        },
      }),
    });
    const other = await addRoom(here, 0, "501");
    const sent = Promise.all([here.send("one"), here.send("two")]);
    await here.telex.messages.send(here.bob, { groupId: other, groupType: 0, message: "elsewhere" });
    expect(begun).toEqual(["500", "501"]);
    waiting[0]?.();
    await ticks();
    expect(begun).toEqual(["500", "501", "500"]);
    waiting[1]?.();
    await sent;
    expect(texts(await here.list())).toEqual(["one", "two"]);
  });

  it("takes 30 s after the beginning for unknown, and stores nothing", async () => {
    const here = await scene();
    here.network.mood = "silent";
    const sent = here.send("hello");
    const failed = sent.catch((error: unknown) => error);
    await ticks();
    await here.clock.advance(30_000);
    expect(await failed).toMatchObject({ code: "delivery_unknown" });
    expect([here.network.sent.length, await here.list()]).toEqual([1, []]);
    here.network.mood = "take";
    await here.send("next");
    expect(texts(await here.list())).toEqual(["next"]);
  });

  it("takes a gateway that never begins for offline, and lets it begin no more", async () => {
    const asked: GatewayMessage[] = [];
    const never = (message: GatewayMessage) => {
      asked.push(message);
      return new Promise<never>(() => {});
    };
    const here = await scene({ gateway: (gateway) => ({ ...gateway, send: never }) });
    const failed = here.send("hello").catch((error: unknown) => error);
    await ticks();
    await here.clock.advance(120_000);
    expect(await failed).toMatchObject(offline);
    await expect(asked[0]?.begin()).rejects.toMatchObject(offline);
    expect(asked[0]?.signal.aborted).toBe(true);
  });

  it.each<[string, (message: GatewayMessage) => unknown, string]>([
    ["throws before it begins", () => Promise.reject(new Error("broken")), "bot_offline"],
    [
      "throws immediately",
      () => {
        throw new Error("broken");
      },
      "bot_offline",
    ],
    [
      "throws after it has begun",
      async (message) => {
        await message.begin();
        throw new Error("broken");
      },
      "delivery_unknown",
    ],
    [
      "answers nonsense",
      async (message) => {
        await message.begin();
        return Promise.resolve({ outcome: "perhaps" });
      },
      "delivery_unknown",
    ],
    [
      "answers an id that is none",
      async (message) => {
        await message.begin();
        return Promise.resolve({ outcome: "delivered", messageId: 7 });
      },
      "delivery_unknown",
    ],
  ])("bears a gateway that %s, and logs it once", async (_what, send, code) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a gateway of plain JavaScript may answer anything
    const wrong = send as Gateway["send"];
    const here = await scene({ gateway: (gateway) => ({ ...gateway, send: wrong }) });
    for (let count = 0; count < 3; count += 1) await expect(here.send("hello")).rejects.toMatchObject({ code });
    expect(await here.list()).toEqual([]);
    expect(here.lines.map(shortOf)).toEqual(['gateway.failed {"gateway":"memory","step":"send"}']);
  });

  it("refuses more messages than may wait for an account", async () => {
    const here = await scene({ limits: { gatewayQueue: 2 } });
    here.network.mood = "silent";
    const first = [here.send("1"), here.send("2")].map((sent) => sent.catch((error: unknown) => error));
    await ticks();
    await expect(here.send("3")).rejects.toMatchObject({ code: "queue_full", reason: "account_queue_full" });
    await here.clock.advance(30_000);
    await ticks();
    await here.clock.advance(30_000);
    await Promise.all(first);
    here.network.mood = "take";
    await here.send("4");
  });

  it("says that the result is not known if what was delivered cannot be stored", async () => {
    const storage = createMemoryStorage();
    const append = () => Promise.reject(new Error("the disk is gone"));
    const here = await scene({ storage: { ...storage, messages: { ...storage.messages, append } } });
    await expect(here.send("hello")).rejects.toMatchObject({ code: "delivery_unknown" });
    expect(here.network.sent).toHaveLength(1);
  });
});

describe("receiving from a gateway", () => {
  it("stores a message with the network's time, sender and names, and mirrors it to all members", async () => {
    const here = await scene();
    const receivers = [here.alice, here.bob].map((caller) => createConnection(caller));
    for (const { connection } of receivers) await here.telex.listen(connection, { echo: false, since: null }).ready;
    const receipt = await here.network.say({ createTime: 1_700_000_000_123, segments: text("茶好了") });
    await ticks();
    const [stored] = await here.list();
    expect(receipt).toEqual({ outcome: "stored", groupId: here.out, messageId: Number(stored?.id) });
    expect(stored).toMatchObject({
      groupId: here.out,
      groupType: 0,
      userId: "1001",
      type: 0,
      content: '[{"text":{"text":"茶好了"}}]',
      pinyin: '[{"text":{"text":"cha2 hao3 le0"}}]',
      createTime: 1_700_000_000_123,
      receiveTime: "2026-11-20T08:15:30.123+00:00",
      nickname: "陌生人",
      nicknamePinyin: "mo4 sheng1 ren2",
      avatar: "/api/avatar/get/EXTpersonal?id=1001",
    });
    for (const { events } of receivers) expect(events).toEqual([{ kind: "message", data: stored }]);
  });

  it("stores a message once, however often and from how many it comes", async () => {
    const here = await scene();
    const same = { messageId: "x-1", segments: text("once") };
    const receipts = await Promise.all(Array.from({ length: 10 }, () => here.network.say(same)));
    expect(receipts.map(({ outcome }) => outcome).toSorted()).toEqual([
      ...Array.from({ length: 9 }, () => "known"),
      "stored",
    ]);
    expect(await here.network.say({ ...same, createTime: 1 })).toMatchObject({ outcome: "known" });
    expect(texts(await here.list())).toEqual(["once"]);
  });

  it("stores a message once that reaches two servers, and mirrors it once on each", async () => {
    const [storage, bus, clock] = [createMemoryStorage(), createLocalBus(), createManualClock()];
    const here = await scene({ storage, bus, clock });
    const other = createMemoryNetwork();
    const options = { storage, bus, clock, blobs: createMemoryBlobs(), images: createSharpEngine() };
    const there = { telex: await createTelex({ ...options, gateways: [other.gateway] }) };
    const connections = [here, there].map(({ telex }) => ({ telex, ...createConnection(here.bob) }));
    for (const { telex, connection } of connections) await telex.listen(connection, { echo: false, since: null }).ready;
    const same = { messageId: "x-1", segments: text("once") };
    const receipts = await Promise.all([here.network.say(same), other.say(same)]);
    await ticks();
    expect(receipts.map(({ outcome }) => outcome).toSorted()).toEqual(["known", "stored"]);
    for (const { events } of connections) expect(events).toMatchObject([{ kind: "message" }]);
    expect(texts(await here.list())).toEqual(["once"]);
  });

  it("replays it to those who come back", async () => {
    const here = await scene();
    await here.network.say({ segments: text("while you were away") });
    const { connection, events } = createConnection(here.bob);
    await here.telex.listen(connection, { echo: false, since: 1 }).ready;
    expect(events).toEqual([]);
    const again = createConnection(here.bob);
    const before = Number((await here.list())[0]?.id) - 1;
    await here.telex.listen(again.connection, { echo: false, since: before }).ready;
    expect(again.events).toMatchObject([{ kind: "message", data: { userId: "1001" } }]);
  });

  it("keeps the order of a room", async () => {
    const here = await scene();
    const hold = Promise.withResolvers<ByteStream>();
    const picture = here.network.say({
      segments: [...text("first"), { type: "image", data: { open: () => hold.promise } }],
    });
    const after = here.network.say({ segments: text("second") });
    await addRoom(here, 0, "501");
    await here.network.say({ room: { kind: "group", ext: "501" }, segments: text("elsewhere") });
    expect(await here.list()).toEqual([]);
    hold.resolve(bytesOf(await png()));
    await Promise.all([picture, after]);
    expect(texts(await here.list())).toEqual(["first", "second"]);
  });

  it("knows the echo of what was sent, after the network's answer and before it", async () => {
    const here = await scene();
    await here.send("sent");
    expect(await here.network.say({ messageId: "m-1", isOwn: true, segments: text("sent") })).toMatchObject({
      outcome: "known",
    });
    here.network.mood = "echo";
    const { messageId } = await here.send("echoed first");
    await ticks();
    expect(texts(await here.list())).toEqual(["sent", "echoed first"]);
    const own = await here.storage.messages.findMessage(here.out, messageId);
    expect(own).toMatchObject({ userId: "1", external: false });
  });

  it("knows a message by each of its ids", async () => {
    const here = await scene({
      gateway: (gateway) => ({
        ...gateway,
        async send(message) {
          await gateway.send(message);
          return { outcome: "delivered", messageId: "t-1", otherIds: ["f-1"] };
        },
      }),
    });
    await here.send("text and file");
    expect(await here.network.say({ messageId: "f-1", isOwn: true })).toMatchObject({ outcome: "known" });
    expect(await here.network.say({ messageId: "t-2", otherIds: ["t-1"], isOwn: true })).toMatchObject({
      outcome: "known",
    });
    expect(await here.network.say({ messageId: "t-2", isOwn: true })).toMatchObject({ outcome: "known" });
    expect(await here.list()).toHaveLength(1);
  });

  it("waits 5 s at most for an answer that comes only after the echo was taken", async () => {
    const here = await scene({
      gateway: (gateway) => ({
        ...gateway,
        async send(message) {
          const sent = await gateway.send(message);
          await here.network.say({ messageId: "m-1", isOwn: true, segments: text("one at a time") });
          return sent;
        },
      }),
    });
    const sent = here.send("one at a time");
    await ticks();
    await here.clock.advance(5000);
    await sent;
    expect(texts(await here.list())).toEqual(["one at a time"]);
  });

  it("finds the room by its ID, kind and account, and ignores what stands for none", async () => {
    const here = await scene();
    const chats = await addRoom(here, 3, "1001");
    const mine = await addRoom(here, 4, "600", "bot-1");
    await addRoom(here, 4, "700", "bot-2");
    const say = (kind: "group" | "private", ext: string) => here.network.say({ room: { kind, ext } });
    expect(await say("private", "1001")).toMatchObject({ groupId: chats });
    expect(await say("group", "600")).toMatchObject({ groupId: mine });
    for (const [kind, ext] of [
      ["group", "1001"],
      ["private", "500"],
      ["group", "700"],
      ["group", "999"],
    ] as const) {
      expect(await say(kind, ext)).toEqual({ outcome: "unknown_room" });
    }
    expect(here.telex.figures().unknownRooms).toBe(4);
  });

  it("gets a room with the first 64 characters of the network's name", async () => {
    const here = await scene({ unknownRooms: "create" });
    await here.network.say({ room: { kind: "group", ext: "999" }, roomName: "🍵".repeat(70) });
    const groups = await here.telex.operator.groups.list(operator, {});
    expect(groups.find(({ ext }) => ext === "999")?.name).toBe("🍵".repeat(64));
  });

  it("gets a room where none stands for it, if the installation wants that: one, without members", async () => {
    const here = await scene({ unknownRooms: "create" });
    const room = { kind: "group", ext: "999" } as const;
    const receipts = await Promise.all([
      here.network.say({ room, roomName: "Tea friends" }),
      here.network.say({ room, roomName: "Tea friends" }),
      here.network.say({ room: { kind: "private", ext: "1001" }, sender: { ext: "1001", name: "Ann" } }),
      here.network.say({ room: { kind: "private", ext: "1002" }, sender: { ext: "1002" } }),
      here.network.say({ room: { kind: "group", ext: "500" } }),
    ]);
    const ids = receipts.map((receipt) => ("groupId" in receipt ? receipt.groupId : null));
    expect(ids[0]).toBe(ids[1]);
    expect(ids[4]).toBe(here.out);
    const groups = await here.telex.operator.groups.list(operator, {});
    const added = groups.filter(({ groupId }) => ids.includes(groupId) && groupId !== here.out);
    expect(added).toMatchObject([
      { groupType: 0, name: "Tea friends", ext: "999", bot: null },
      { groupType: 3, name: "Ann", ext: "1001", bot: null },
      { groupType: 3, name: "1002", ext: "1002", bot: null },
    ]);
    for (const { groupId } of added) {
      expect(await here.telex.operator.groups.members(operator, { groupId })).toEqual([]);
    }
    expect(here.telex.figures().unknownRooms).toBe(0);
    // A recall adds no room.
    expect(await here.network.unsay({ room: { kind: "group", ext: "1000" }, messageId: "m-1" })).toEqual({
      outcome: "unknown_room",
    });
  });

  it("stays with its first room, of either type, where earlier versions have added another", async () => {
    const network = createMemoryNetwork();
    const kit = await createKit({ gateways: [network.gateway] });
    const first = await storeRoom(kit, { groupType: 4, bot: "bot-1" });
    const second = await storeRoom(kit, { groupType: 0 });
    const said = await network.say({ messageId: "m-1" });
    expect(said).toMatchObject({ groupId: first });
    expect(await network.unsay({ messageId: "m-1" })).toMatchObject({ groupId: first });
    await kit.telex.operator.groups.remove(operator, { groupId: first });
    expect(await network.say({})).toMatchObject({ groupId: second });
  });

  it("gets no second room for the same account, of either type", async () => {
    const here = await scene();
    const taken = (groupId: number) => ({ code: "group_taken", params: { groupId } });
    await expect(addRoom(here, 0)).rejects.toMatchObject(taken(here.out));
    await expect(addRoom(here, 4, "500", "bot-1")).rejects.toMatchObject(taken(here.out));
    const ofPerson = await addRoom(here, 5, "500", "bot-1");
    await expect(addRoom(here, 3)).rejects.toMatchObject(taken(ofPerson));
    await addRoom(here, 4, "500", "bot-2");
    expect(await here.network.say({})).toMatchObject({ groupId: here.out });
    expect(await here.network.say({ room: { kind: "private", ext: "500" } })).toMatchObject({ groupId: ofPerson });
    await here.telex.operator.groups.remove(operator, { groupId: here.out });
    expect(await here.network.say({})).toMatchObject({ outcome: "unknown_room" });
    await addRoom(here, 4, "500", "bot-1");
  });

  it("gets one room from messages and operators that come simultaneously", async () => {
    const here = await scene({ unknownRooms: "create" });
    const room = { kind: "group", ext: "999" } as const;
    const calls = [0, 4, 0, 4].map((groupType) =>
      groupType === 0 ? addRoom(here, 0, "999") : addRoom(here, 4, "999", "bot-1"),
    );
    const [said, ...added] = await Promise.allSettled([here.network.say({ room }), ...calls]);
    const groups = await here.telex.operator.groups.list(operator, {});
    const rooms = groups.filter(({ ext }) => ext === "999");
    expect(rooms).toHaveLength(1);
    expect(said).toMatchObject({ value: { outcome: "stored", groupId: rooms[0]?.groupId } });
    for (const one of added.filter(({ status }) => status === "rejected"))
      expect(one).toMatchObject({ reason: { code: "group_taken" } });
  });

  it("gets no second room by itself when its account has become the official one a moment ago", async () => {
    // This server has not heard of the change.
    const network = createMemoryNetwork({ account: { groupTypes: [4, 5] } });
    const kit = await createKit({ gateways: [network.gateway], unknownRooms: "create" });
    const groupId = await addRoom(kit, 0);
    const bot = { name: null, gateway: "elsewhere", network: "memory", connect: null, digest: null, secret: null };
    const others = { protocol: 0, minInterval: 0, createdAt: kit.clock.now() };
    await kit.storage.bots.appendBot({ account: "bot-1", official: true, ...bot, ...others });
    expect(await network.say({})).toMatchObject({ groupId });
    await expect(addRoom(kit, 4, "500", "bot-1")).rejects.toMatchObject({ code: "group_taken" });
  });

  it("of a private bot gets a room of that bot", async () => {
    const network = createMemoryNetwork({ account: { groupTypes: [4, 5] } });
    const { telex } = await createKit({ gateways: [network.gateway], unknownRooms: "create" });
    await network.say({ room: { kind: "group", ext: "999" } });
    const groups = await telex.operator.groups.list(operator, {});
    expect(groups.at(-1)).toMatchObject({ groupType: 4, ext: "999", bot: "bot-1", name: "999" });
  });

  it("lists the rooms that stand for rooms of the network, each once", async () => {
    const given: GatewayInbox[] = [];
    const here = await scene({
      gateway: (one) => ({
        ...one,
        start: (inbox, holds) => {
          given.push(inbox);
          return one.start(inbox, holds);
        },
      }),
    });
    await addRoom(here, 3, "1001");
    await addRoom(here, 4, "600", "bot-1");
    await storeRoom(here, { groupType: 4, bot: "bot-1" });
    await addRoom(here, 4, "700", "bot-2");
    const since = here.clock.now();
    expect(await given[0]?.listRooms("bot-1")).toEqual([
      { room: { kind: "group", ext: "500" }, since },
      { room: { kind: "private", ext: "1001" }, since },
      { room: { kind: "group", ext: "600" }, since },
    ]);
    await expect(given[0]?.listRooms("bot-2")).rejects.toMatchObject({ code: "not_found" });
  });

  it("gives people without a number one that stays, and finds their avatars under it", async () => {
    const asked: string[] = [];
    const avatarSource = {
      async fetch({ id }: { readonly id: string }) {
        asked.push(id);
        return null;
      },
    };
    const here = await scene({ avatarSource });
    const from = async (ext: string): Promise<string> => {
      const receipt = await here.network.say({ sender: { ext, name: "" } });
      const id = "messageId" in receipt ? receipt.messageId : 0;
      return (await here.storage.messages.findMessage(here.out, id))?.userId ?? "";
    };
    const longs = ["1", "9223372036854775807", "123456789012345678"];
    for (const ext of longs) expect(await from(ext)).toBe(ext);
    const [ada, zero, large, leading] = [
      await from("U0AB"),
      await from("0"),
      await from("9223372036854775808"),
      await from("007"),
    ];
    const taken = await from(ada);
    const aliases = [ada, zero, large, leading, taken];
    for (const alias of aliases) expect(Number.isSafeInteger(Number(alias))).toBe(true);
    expect(new Set(aliases).size).toBe(5);
    expect(await from("U0AB")).toBe(ada);
    await here.telex.avatars.extPersonal({ kind: "anonymous" }, { id: ada });
    expect(asked).toEqual(["U0AB"]);
    expect((await here.list()).at(-1)).toMatchObject({ nickname: "U0AB" });
  });

  it("builds mentions and quotes", async () => {
    const here = await scene();
    const { messageId } = await here.send("quoted");
    await here.network.say({
      segments: [
        { type: "reply", data: { messageId: "m-1" } },
        { type: "reply", data: { messageId: "unknown" } },
        { type: "at", data: { ext: "10001", name: "Alice's card" } },
        { type: "at", data: { ext: "all" } },
        ...text("hello"),
      ],
    });
    const last = (await here.list()).at(-1);
    expect(last === undefined ? [] : segmentsOf(last)).toEqual([
      { reply: { id: "m-1", messageId: String(messageId) } },
      { reply: { id: "unknown", messageId: "" } },
      { at: { ext: "10001", name: "Alice's card" } },
      { at: { ext: "all", name: "全体成员" } },
      { text: { text: "hello" } },
    ]);
  });

  it("counts messages of a network that mention a member", async () => {
    const here = await scene();
    await here.network.say({ segments: [{ type: "at", data: { ext: "10001" } }] });
    await here.network.say({ segments: text("hello") });
    const mentions = async (caller: Kit["alice"]) =>
      (await here.telex.rooms.find(caller, { groupId: here.out })).mentions;
    expect([await mentions(here.alice), await mentions(here.bob)]).toEqual([1, 0]);
  });

  it("sends a quote of a received message with the network's id", async () => {
    const here = await scene();
    const receipt = await here.network.say({ messageId: "x-9" });
    const messageId = "messageId" in receipt ? receipt.messageId : 0;
    await here.send([
      { type: "reply", data: { messageId } },
      { type: "text", data: { text: "yes" } },
    ]);
    expect(here.network.sent[0]?.parts[0]).toEqual({ kind: "reply", messageId: "x-9" });
  });
});

describe("pictures and files of a network", () => {
  it("are fetched and stored: a picture under its name, a file with its message", async () => {
    const here = await scene();
    const picture = await png();
    const receipt = await here.network.say({
      segments: [
        { type: "image", data: { open: open(picture), summary: "[图]", subType: "1" } },
        { type: "file", data: { open: open("text"), name: "笔记.txt", mime: "text/plain" } },
      ],
    });
    const [message] = await here.list();
    const [image, file] = message === undefined ? [] : segmentsOf(message);
    expect(message).toMatchObject({ type: 3 });
    expect(image?.["image"]).toMatchObject({ summary: "[图]", sub_type: "1", file_size: String(picture.length) });
    expect(file).toEqual({ file: { file: "笔记.txt" } });
    const name = image?.["image"]?.["file"] ?? "";
    expect(await here.telex.bucket.download(here.bob, { file: name })).toMatchObject({ size: picture.length });
    const paths = await here.storage.messages.listFiles(here.out, "messageId" in receipt ? receipt.messageId : 0);
    expect(paths).toEqual([expect.stringMatching(/^ext\/[0-9a-f]{32}\/笔记\.txt$/)]);
    const path = Buffer.from(paths[0] ?? "").toString("base64url");
    const found = await here.telex.bucket.downloadFile(here.bob, { path, where: "ext", name: "n.txt" });
    expect(found).toMatchObject({ size: 4, mime: "text/plain", inline: false });
    const local = here.telex.bucket.downloadFile(here.bob, { path, where: "local", name: "n.txt" });
    await expect(local).rejects.toMatchObject({ code: "file_not_found" });
  });

  it.each<[string, () => Promise<ByteStream>]>([
    ["cannot be opened", () => Promise.reject(new Error("404"))],
    [
      "break off",
      () =>
        Promise.resolve(
          (async function* () {
            yield Buffer.from("a");
            throw new Error("reset");
          })(),
        ),
    ],
    ["are no picture", open("<svg/>")],
    ["are too large", open(Buffer.alloc(101))],
  ])("that %s leave a message without them", async (_what, opened) => {
    const here = await scene({ limits: { fileSize: 100 } });
    const image = { type: "image", data: { open: opened, size: 12 } } as const;
    expect(await here.network.say({ segments: [...text("look"), image] })).toMatchObject({ outcome: "stored" });
    const [message] = await here.list();
    expect(message === undefined ? [] : segmentsOf(message)[1]).toEqual({
      image: { file: "", summary: "", sub_type: "", file_size: "12" },
    });
  });

  it.each<[string, (signal: AbortSignal) => Promise<ByteStream>]>([
    ["never open", () => new Promise(() => {})],
    [
      "never end",
      () =>
        Promise.resolve(
          (async function* () {
            yield Buffer.from("a");
            await new Promise(() => {});
          })(),
        ),
    ],
  ])("that %s hold up their room for 30 s", async (_what, opened) => {
    const here = await scene();
    const stuck = here.network.say({
      segments: [...text("look"), { type: "file", data: { open: opened, name: "a" } }],
    });
    const after = here.network.say({ segments: text("after") });
    await ticks();
    expect(await here.list()).toEqual([]);
    await here.clock.advance(30_000);
    await Promise.all([stuck, after]);
    expect(texts(await here.list())).toEqual(["look", "after"]);
    expect(here.lines.map(shortOf)).toEqual([
      `gateway.media_lost {"gateway":"memory","groupId":${here.out},"code":"timeout"}`,
    ]);
  });

  it("share what a room may receive in a day", async () => {
    const here = await scene({ limits: { roomFiles: 300_000 } });
    const file = (size: number) =>
      ({ type: "file", data: { open: open(Buffer.alloc(size, size % 251)), name: `${size}` } }) as const;
    const filesOf = async (size: number): Promise<number> => {
      const receipt = await here.network.say({ segments: [file(size)] });
      return (await here.storage.messages.listFiles(here.out, "messageId" in receipt ? receipt.messageId : 0)).length;
    };
    expect([await filesOf(200_000), await filesOf(200_001), await filesOf(50_000)]).toEqual([1, 0, 1]);
    await here.clock.advance(26 * 3_600_000);
    expect(await filesOf(200_001)).toBe(1);
  });

  it("are not fetched again with a message that is known", async () => {
    const here = await scene();
    let opened = 0;
    const image = {
      type: "image",
      data: {
        open: () => {
          opened += 1;
          return open("x")();
        },
      },
    } as const;
    for (let count = 0; count < 3; count += 1) await here.network.say({ messageId: "x-1", segments: [image] });
    expect([opened, (await here.list()).length]).toEqual([1, 1]);
  });
});

describe("an inbox", () => {
  const long = "x".repeat(10_001);
  it.each<[object, object]>([
    [{ account: "" }, { issues: [{ path: "account", problem: "text_empty" }] }],
    [{ account: "bot-9" }, { code: "not_found", reason: "account_unknown" }],
    [{ messageId: "" }, { issues: [{ path: "messageId" }] }],
    [{ messageId: 7 }, { issues: [{ path: "messageId" }] }],
    [{ otherIds: Array.from({ length: 9 }, String) }, { issues: [{ path: "otherIds", problem: "too_many" }] }],
    [{ room: { kind: "channel", ext: "1" } }, { issues: [{ path: "room.kind" }] }],
    [{ sender: { ext: "x".repeat(65), name: "" } }, { issues: [{ path: "sender.ext", problem: "too_long" }] }],
    [{ sender: null }, { issues: [{ path: "sender" }] }],
    [{ createTime: 1.5 }, { issues: [{ path: "createTime" }] }],
    [{ createTime: -1 }, { issues: [{ path: "createTime" }] }],
    [{ createTime: Number.MAX_SAFE_INTEGER }, { issues: [{ path: "createTime" }] }],
    [{ segments: [] }, { reason: "empty_message" }],
    [{ segments: text("") }, { reason: "empty_message" }],
    [{ segments: text(long) }, { issues: [{ problem: "too_long" }] }],
    [{ segments: [...text(long.slice(1)), ...text("1")] }, { reason: "text_too_long" }],
    [{ segments: text("\0") }, { issues: [{ problem: "text_nul" }] }],
    [{ segments: text("\ud800") }, { issues: [{ problem: "text_surrogate" }] }],
    [
      { segments: Array.from({ length: 101 }, () => text("a")[0]) },
      { issues: [{ path: "segments", problem: "too_many" }] },
    ],
    [{ segments: [{ type: "video", data: {} }] }, { code: "invalid_request" }],
    [{ segments: [{ type: "image", data: { open: "http://127.0.0.1/" } }] }, { code: "invalid_request" }],
  ])("refuses %j", async (wrong, refusal) => {
    const here = await scene();
    await expect(here.network.say(wrong)).rejects.toMatchObject(refusal);
    await expect(here.network.say(wrong)).rejects.toMatchObject(refusal);
    expect(here.lines).toHaveLength(1);
    expect(here.lines[0]).toMatch(/^warn gateway\.message_refused /);
    expect(await here.network.say({})).toMatchObject({ outcome: "stored" });
  });

  it("refuses more messages than may wait for an account", async () => {
    const here = await scene({ limits: { gatewayQueue: 3 } });
    const held = Promise.withResolvers<ByteStream>();
    const image = { type: "image", data: { open: () => held.promise } } as const;
    const taken = [here.network.say({ segments: [image] }), here.network.say({}), here.network.say({})];
    await ticks();
    await expect(here.network.say({})).rejects.toMatchObject({ code: "queue_full" });
    held.resolve(bytesOf("x"));
    await Promise.all(taken);
    expect(await here.network.say({})).toMatchObject({ outcome: "stored" });
  });
});

describe("the life of a gateway", () => {
  it("begins and ends with its instance, and does not hold it up", async () => {
    const steps: string[] = [];
    const hanging: Gateway = {
      ...createMemoryNetwork({ name: "hanging" }).gateway,
      start: () => new Promise(() => {}),
      close: () => new Promise(() => {}),
    };
    const failing: Gateway = {
      ...createMemoryNetwork({ name: "failing" }).gateway,
      start: () => Promise.reject(new Error("no network")),
      close: () => {
        throw new Error("broken");
      },
    };
    const good = createMemoryNetwork({ name: "good" });
    const watched: Gateway = {
      ...good.gateway,
      start: (inbox, holds) => {
        steps.push("start");
        return good.gateway.start(inbox, holds);
      },
      close: () => {
        steps.push("close");
        return good.gateway.close();
      },
    };
    const clock = createManualClock();
    const made = createKit({ clock, gateways: [hanging, failing, watched] });
    await ticks();
    await clock.advance(5000);
    const kit = await made;
    const groupId = await addRoom(kit, 0);
    await kit.telex.messages.send(kit.alice, { groupId, groupType: 0, message: "hello" });
    expect(good.sent).toHaveLength(1);
    const closed = kit.telex.close();
    await ticks();
    await clock.advance(1000);
    await closed;
    expect(steps).toEqual(["start", "close"]);
    expect(kit.lines.map(shortOf).toSorted()).toEqual([
      'gateway.failed {"gateway":"failing","step":"close"}',
      'gateway.failed {"gateway":"failing","step":"start"}',
      'gateway.failed {"gateway":"hanging","step":"close"}',
      'gateway.failed {"gateway":"hanging","step":"start"}',
    ]);
  });

  it("bears a gateway that fails when it is asked for accounts", async () => {
    const here = await scene({
      gateway: (gateway) => ({
        ...gateway,
        findAccount: () => {
          throw new Error("broken");
        },
      }),
    });
    await expect(here.send("hello")).rejects.toMatchObject(offline);
    await expect(here.send("hello")).rejects.toMatchObject(offline);
    expect(here.lines.map(shortOf)).toEqual(['gateway.failed {"gateway":"memory","step":"findAccount"}']);
  });

  it("ends with what has begun, and begins nothing more", async () => {
    const here = await scene();
    const { network, telex } = here;
    network.mood = "silent";
    const begun = here.send("begun").catch((error: unknown) => error);
    const waits = here.send("waits").catch((error: unknown) => error);
    const hold = new Promise<never>(() => {});
    const received = network.say({
      segments: [...text("with a picture"), { type: "image", data: { open: () => hold } }],
    });
    await ticks();
    const closed = telex.close();
    await ticks();
    expect(await received).toMatchObject({ outcome: "stored" });
    await expect(network.say({})).rejects.toMatchObject({ code: "shutting_down" });
    await here.clock.advance(30_000);
    await closed;
    expect([await begun, await waits]).toMatchObject([{ code: "delivery_unknown" }, offline]);
    expect(network.sent).toHaveLength(1);
  });

  it("is named once", async () => {
    const gateways = [createMemoryNetwork().gateway, createMemoryNetwork().gateway];
    await expect(createKit({ gateways })).rejects.toThrow("Two gateways are named memory.");
    const [one, two] = gateways;
    const plugins = [{ name: "plug-in", gateways: two === undefined ? [] : [two] }];
    await expect(createKit({ gateways: one === undefined ? [] : [one], plugins })).rejects.toThrow(TypeError);
    const blobs = createMemoryBlobs();
    const own = await createKit({ blobs, plugins });
    await own.telex.close();
  });
});
