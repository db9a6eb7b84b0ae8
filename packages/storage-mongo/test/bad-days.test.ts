import type { CloseReason, LiveEvent } from "@telex/core/transport";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createScene, until } from "@telex/conformance/testing";
import { type Document, MongoClient } from "mongodb";
import { describe, expect, it, onTestFinished } from "vitest";
import { sharedMongo } from "test-support/shared-mongo";
import { createMongoBlobs, createMongoBus, createMongoStorage, type MongoStorage } from "../src/index.ts";
import { again } from "./support/again.ts";
import { messageIn, newDatabase, openStorage } from "./support/database.ts";
import { openNetwork } from "./support/proxy.ts";

/** A storage whose calls have little time. The database is created before, because that takes longer. */
async function openHasty(url: string): Promise<MongoStorage> {
  const patient = await createMongoStorage({ url });
  await patient.close();
  return openStorage({ url, timeout: 1000 });
}

/** A server behind a network, with a user who listens and a room. */
async function startServer(url: string) {
  const storage = await openHasty(url);
  const { connection } = storage;
  const scene = await createScene({
    storage,
    images: createSharpEngine(),
    blobs: createMongoBlobs(connection),
    bus: createMongoBus(connection),
  });
  onTestFinished(() => scene.telex.close());
  const [alice, bob] = [await scene.person("Alice"), await scene.person("Bob")];
  const groupId = await scene.room([alice, bob]);
  const told: LiveEvent[] = [];
  const closed: CloseReason[] = [];
  const listener = {
    holder: await scene.caller(bob),
    write: (events: readonly LiveEvent[]) => void told.push(...events),
    close: (reason: CloseReason) => void closed.push(reason),
  };
  scene.telex.attach(listener);
  await scene.telex.listen(listener, { echo: false, since: null }).ready;
  const caller = await scene.caller(alice);
  const say = (message: string) => scene.telex.messages.send(caller, { groupId, groupType: 1, message });
  const idsOf = (): number[] => told.flatMap((event) => (event.kind === "message" ? [event.data.messageId] : []));
  return { ...scene, say, closed, idsOf };
}

describe("while the database is away", () => {
  it.each(["remove", "hold"] as const)(
    "(%s) calls fail with storage_unavailable, connections stay open, and everything goes on afterwards",
    async (how) => {
      const network = await openNetwork();
      const { telex, say, closed, idsOf } = await startServer(network.url);
      const before = await say("before");
      network[how]();
      await expect(say("during")).rejects.toMatchObject({ code: "storage_unavailable" });
      await expect(telex.ready()).rejects.toMatchObject({ code: "storage_unavailable" });
      network.restore();
      const after = await again(() => say("after"));
      await until(() => idsOf().includes(after.messageId));
      expect(idsOf()[0]).toBe(before.messageId);
      expect(closed).toEqual([]);
      // The result of a probe is cached for a second.
      await again(() => telex.ready());
    },
  );
});

it("a server stops soon while the database carries nothing, although its calls have much time", async () => {
  const network = await openNetwork();
  const storage = await openStorage({ url: network.url, timeout: 600_000 });
  const bus = createMongoBus(storage.connection);
  const scene = await createScene({
    storage,
    images: createSharpEngine(),
    blobs: createMongoBlobs(storage.connection),
    bus,
    limits: { closeWait: 100 },
  });
  const lease = scene.telex.leases.open("work", { lost: () => undefined });
  expect(await lease.take()).toBe(true);
  lease.keep();
  const alice = await scene.person("Alice");
  const groupId = await scene.room([alice]);
  const caller = await scene.caller(alice);
  network.hold();
  const sending = scene.telex.messages.send(caller, { groupId, groupType: 1, message: "hello" });
  await Promise.all([scene.telex.close(), expect(sending).rejects.toMatchObject({ code: "storage_unavailable" })]);
});

/** Makes writes of storages fail until the returned function is called. */
async function fail(data: Document): Promise<() => Promise<unknown>> {
  // A separate client: some of these errors close the connections of a storage's client.
  const client = await new MongoClient(sharedMongo()).connect();
  onTestFinished(() => client.close());
  const failCommands = ["bulkWrite", "insert", "update", "findAndModify", "delete", "commitTransaction"];
  const set = (mode: string) =>
    client
      .db("admin")
      .command({ configureFailPoint: "failCommand", mode, data: { appName: "telex", failCommands, ...data } });
  onTestFinished(() => void set("off").catch(() => undefined));
  await set("alwaysOn");
  return () => set("off");
}

const answers: readonly { readonly name: string; readonly data: Document; readonly code: string }[] = [
  { name: "it steps down", data: { errorCode: 10_107 }, code: "storage_unavailable" },
  { name: "it shuts down", data: { errorCode: 91 }, code: "storage_unavailable" },
  { name: "it is a secondary that is recovering", data: { errorCode: 13_436 }, code: "storage_unavailable" },
  { name: "its disk is full", data: { errorCode: 14_031 }, code: "storage_full" },
  { name: "an operator has made it read-only", data: { errorCode: 278 }, code: "storage_unavailable" },
  { name: "it is slow", data: { blockConnection: true, blockTimeMS: 3000 }, code: "storage_unavailable" },
];

describe("when the database answers writes with an error because", () => {
  it.each(answers)("$name, calls fail with $code, and work again afterwards", async ({ data, code }) => {
    const storage = await openHasty(newDatabase());
    await storage.messages.append(messageIn(7, "before"));
    const works = await fail(data);
    await expect(storage.messages.append(messageIn(7, "during"))).rejects.toMatchObject({ code });
    await expect(storage.probe()).rejects.toMatchObject({ code });
    await works();
    await again(() => storage.messages.append(messageIn(7, "after")));
    await storage.probe();
    const { messages } = await storage.messages.page({ groupId: 7, before: null, limit: 9 });
    expect(messages.map(({ content }) => content)).toEqual(["after", "before"]);
  });
});
