import { createMemoryBlobs } from "@telex/blobs/memory";
import { createMemoryStorage } from "@telex/storage-memory";
import { describe, expect, it } from "vitest";
import { InjectedFault, intercept, withLatency } from "@telex/conformance";
import { anonymous, operator, type BlobStore, type Storage, TelexError } from "../src/index.ts";
import { bytesOf, createKit, fileOf, type Kit, segmentsOf } from "./kit.ts";
import { createMemoryNetwork, ticks } from "@telex/conformance/testing";

type When = "before" | "after";

/** Work in the background: its failures must not reach the caller. */
const background = ["listUnindexed", "index", "listPrinters"];

/** A storage whose k-th call from now on fails. */
function createFaulty() {
  let left = Number.POSITIVE_INFINITY;
  let when: When = "before";
  const storage: Storage = intercept(createMemoryStorage(), async ({ part, verb, run }) => {
    if (part === "changes" || background.includes(verb)) return run();
    left -= 1;
    if (left !== 0) return run();
    if (when === "after") await run();
    throw new InjectedFault(`fails ${when}`);
  });
  const arm = (failAt: number, at: When): void => {
    left = failAt;
    when = at;
  };
  return { storage, arm, failed: () => left <= 0 };
}

const deviceId = "printer-1";

async function look({ telex, alice, room, storage }: Kit, blobs: BlobStore) {
  const devices = await storage.teleprinter.listDevices(1);
  const queue = devices.length === 0 ? [] : (await telex.teleprinter.messages(alice, { deviceId })).messages;
  const { groupMessages } = await telex.messages.history(alice, { groupId: room, groupType: 1 });
  const stored: string[] = [];
  for await (const { blobId } of blobs.list()) stored.push(blobId);
  const named = await storage.bucket.findBlobs(stored);
  return {
    devices: devices.map(({ name, away }) => [name, away]),
    queue: queue.map(({ content, delivered }) => [content, delivered]),
    history: groupMessages.map(({ type, pinyin }) => [type, pinyin.replaceAll(/[0-9a-f]{32}/g, "*")]),
    files: named.size,
    users: (await storage.users.listUsers({ after: 0, limit: 10 })).length,
  };
}

interface Scenario {
  readonly name: string;
  readonly prepare?: (kit: Kit) => Promise<unknown>;
  /** The operation; it must be one that may be repeated. */
  readonly act: (kit: Kit, prepared: unknown) => Promise<unknown>;
}

const register = ({ telex, alice }: Kit) => telex.teleprinter.register(alice, { deviceId, name: "Printer" });

const scenarios: readonly Scenario[] = [
  { name: "register", act: register },
  { name: "heartbeat", prepare: register, act: ({ telex, alice }) => telex.teleprinter.heartbeat(alice, { deviceId }) },
  { name: "offline", prepare: register, act: ({ telex, alice }) => telex.teleprinter.offline(alice, { deviceId }) },
  {
    name: "send with a nonce",
    prepare: register,
    act: ({ telex, alice }) => telex.teleprinter.send(alice, { deviceId, content: "x", nonce: "n" }),
  },
  {
    name: "sync with a nonce",
    prepare: register,
    act: ({ telex, alice }) => telex.teleprinter.sync(alice, { deviceId, content: "x", nonce: "n" }),
  },
  {
    name: "poll with ack",
    prepare: async (kit) => {
      await register(kit);
      return (await kit.telex.teleprinter.send(kit.alice, { deviceId, content: "x" })).id;
    },
    act: ({ telex, alice }, ack) => telex.teleprinter.poll(alice, { deviceId, ack: Number(ack) }),
  },
  {
    name: "send to a room with a nonce, an image and a file",
    prepare: async ({ telex, alice }) => [
      (await telex.bucket.upload(alice, { file: fileOf(Buffer.from("\x89PNG\r\n\x1a\n", "latin1")) })).file_id,
      (await telex.bucket.upload(alice, { file: fileOf("text") })).file_id,
    ],
    act: ({ telex, alice, room }, ids) => {
      const [image, file] = Array.isArray(ids) ? ids.map(String) : [];
      return telex.messages.send(alice, {
        groupId: room,
        groupType: 1,
        nonce: "n",
        message: [
          { type: "text", data: { text: "你好" } },
          { type: "image", data: { file_id: image ?? "" } },
          { type: "file", data: { file_id: file ?? "" } },
        ],
      });
    },
  },
  { name: "upload", act: ({ telex, alice }) => telex.bucket.upload(alice, { file: fileOf("bytes") }) },
  {
    name: "history",
    prepare: ({ telex, alice, room }) => telex.messages.send(alice, { groupId: room, groupType: 1, message: "x" }),
    act: ({ telex, alice, room }) => telex.messages.history(alice, { groupId: room, groupType: 1 }),
  },
];

describe.each(scenarios)("$name, when the store fails", ({ prepare, act }) => {
  it.each<When>(["before", "after"])(
    "%s a call is done, is whole or absent, and succeeds when repeated",
    async (when) => {
      const started = async () => {
        const faulty = createFaulty();
        const blobs = createMemoryBlobs();
        const kit = await createKit({ storage: faulty.storage, blobs });
        return { kit, blobs, faulty, prepared: await prepare?.(kit) };
      };
      const model = await started();
      const absent = await look(model.kit, model.blobs);
      await act(model.kit, model.prepared);
      const whole = await look(model.kit, model.blobs);
      for (let failAt = 1; ; failAt += 1) {
        const { kit, blobs, faulty, prepared } = await started();
        faulty.arm(failAt, when);
        const outcome = await act(kit, prepared).then(
          () => null,
          (error: unknown) => error,
        );
        if (!faulty.failed()) break;
        expect(outcome).toBeInstanceOf(InjectedFault);
        expect([absent, whole]).toContainEqual(await look(kit, blobs));
        await act(kit, prepared);
        expect(await look(kit, blobs)).toEqual(whole);
      }
    },
  );
});

describe("a code upload, when the store fails", () => {
  it.each([
    ["before", 1],
    ["before", 2],
    ["after", 1],
  ] as const)("%s call %i is done, leaves the code usable and no file", async (when, failAt) => {
    const faulty = createFaulty();
    const blobs = createMemoryBlobs();
    const { telex } = await createKit({ storage: faulty.storage, blobs });
    const code = await telex.bucket.generateCode(anonymous, {});
    const upload = () => telex.bucket.uploadByCode(anonymous, { storageId: "default", code, file: fileOf("bytes") });
    faulty.arm(failAt, when);
    await expect(upload()).rejects.toBeInstanceOf(InjectedFault);
    for await (const { blobId } of blobs.list())
      expect(await faulty.storage.bucket.findBlobs([blobId])).toEqual(new Set());
    await expect(upload()).resolves.toMatchObject({ size: 5 });
  });
});

describe("receiving from a network, when the store fails", () => {
  const bytes = { picture: Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), file: "text" };
  const started = async () => {
    const faulty = createFaulty();
    const network = createMemoryNetwork();
    const { telex } = await createKit({ storage: faulty.storage, gateways: [network.gateway] });
    const { groupId } = await telex.operator.groups.add(operator, { groupType: 0, name: "Out", ext: "500" });
    const act = () =>
      network.say({
        messageId: "x-1",
        sender: { ext: "U1", name: "陌生人" },
        createTime: 1,
        segments: [
          { type: "image", data: { open: () => Promise.resolve(bytesOf(bytes.picture)) } },
          { type: "file", data: { open: () => Promise.resolve(bytesOf(bytes.file)), name: "a.txt" } },
        ],
      });
    const list = async () => {
      const { messages } = await faulty.storage.messages.page({ groupId, before: null, limit: 10 });
      const found = messages.map(async ({ id, content }) => {
        const files = await faulty.storage.messages.listFiles(groupId, id);
        return { images: content.match(/[0-9a-f]{32}\.png/g)?.length, files: files.length };
      });
      return Promise.all(found);
    };
    return { faulty, act, list };
  };

  it.each<When>(["before", "after"])("%s a call is done, stores the message once when it comes again", async (when) => {
    for (let failAt = 1; ; failAt += 1) {
      const { faulty, act, list } = await started();
      faulty.arm(failAt, when);
      const outcome = await act().then(
        () => null,
        (error: unknown) => error,
      );
      if (!faulty.failed()) break;
      if (!TelexError.is(outcome)) throw new Error("It was received.", { cause: outcome });
      expect(outcome.cause).toBeInstanceOf(InjectedFault);
      expect([[], [{ images: 1, files: 1 }]]).toContainEqual(await list());
      await act();
      expect(await list()).toEqual([{ images: 1, files: 1 }]);
    }
  });
});

describe("with a store whose calls overtake each other", () => {
  it.each([1, 2, 3, 4, 5])(
    "the mirror tells each room's messages once, in the order of their ids (seed %i)",
    async (seed) => {
      const kit = await createKit({ storage: withLatency(createMemoryStorage(), seed) });
      const ids: number[] = [];
      if (kit.bob.kind !== "token") throw new Error("bob has a token");
      const connection = {
        holder: kit.bob,
        write: (events: readonly { kind: string; data: object }[]) =>
          void ids.push(...events.map(({ data }) => ("messageId" in data ? Number(data.messageId) : 0))),
        close() {},
      };
      await kit.telex.listen(connection, { echo: false, since: null }).ready;
      for (let round = 0; round < 5; round += 1) {
        await Promise.all(
          Array.from({ length: 10 }, (_, index) =>
            kit.telex.messages.send(kit.alice, { groupId: kit.room, groupType: 1, message: `${round} ${index}` }),
          ),
        );
      }
      await ticks(50);
      expect(new Set(ids).size).toBe(50);
      expect(ids).toHaveLength(50);
    },
  );

  it.each([1, 2, 3, 4, 5])("every message to a device is taken by one poll (seed %i)", async (seed) => {
    const { telex, alice } = await createKit({ storage: withLatency(createMemoryStorage(), seed) });
    await telex.teleprinter.register(alice, { deviceId, name: "Printer" });
    await Promise.all(
      Array.from({ length: 30 }, (_, index) => telex.teleprinter.send(alice, { deviceId, content: `${index}` })),
    );
    const polls = await Promise.all(
      Array.from({ length: 10 }, () => telex.teleprinter.poll(alice, { deviceId, limit: 5 })),
    );
    const taken = [...polls.flat(), ...(await telex.teleprinter.poll(alice, { deviceId }))].map(({ id }) => id);
    expect(taken).toHaveLength(30);
    expect(new Set(taken).size).toBe(30);
  });
});

describe("an upload whose record cannot be kept", () => {
  it("because the store is full, leaves no bytes", async () => {
    const memory = createMemoryStorage();
    const storage = intercept(memory, ({ verb, run }) =>
      verb === "putFile" ? Promise.reject(new TelexError("storage_full")) : run(),
    );
    const blobs = createMemoryBlobs();
    const { telex, alice } = await createKit({ storage, blobs });
    await expect(telex.bucket.upload(alice, { file: fileOf("bytes") })).rejects.toMatchObject({ code: "storage_full" });
    for await (const entry of blobs.list()) expect(entry).toBeUndefined();
  });

  it("after it was kept all the same, is found by the next one", async () => {
    const faulty = createFaulty();
    const { telex, alice } = await createKit({ storage: faulty.storage });
    faulty.arm(1, "after");
    await expect(telex.bucket.upload(alice, { file: fileOf("bytes") })).rejects.toBeInstanceOf(InjectedFault);
    const again = await telex.bucket.upload(alice, { file: fileOf("bytes") });
    await telex.messages.send(alice, {
      groupId: 1,
      groupType: 1,
      message: [{ type: "file", data: { file_id: again.file_id } }],
    });
    const { groupMessages } = await telex.messages.history(alice, { groupId: 1, groupType: 1 });
    const [segment] = groupMessages.flatMap(segmentsOf);
    const path = Buffer.from(segment?.["file"]?.["relativePath"] ?? "").toString("base64url");
    const download = await telex.bucket.downloadFile(anonymous, { path, where: "local", name: "a" });
    await expect(download.open()).resolves.toBeDefined();
  });
});
