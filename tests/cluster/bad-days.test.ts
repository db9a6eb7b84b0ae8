import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { createTelex, operator } from "@telex/core";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createHttp, serve } from "@telex/http";
import { createClient, TelexClientError } from "@telex/http/client";
import { createMongoBlobs, createMongoBus, createMongoStorage } from "@telex/storage-mongo";
import { createWs } from "@telex/ws";
import { openChannel, SocketError } from "@telex/ws/client";
import { type Document, MongoClient } from "mongodb";
import { sampleOf } from "test-support/every";
import { startMongo } from "test-support/mongo";
import { openNetwork } from "test-support/network";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { retryPause } from "./run.ts";

/** Seconds for which the database stays away after the first failed call. */
const away = Number(process.env["TELEX_CLUSTER_AWAY"] ?? 0);

/** The time limit of a storage call here, in milliseconds. */
const timeout = 3000;

const engine = createSharpEngine();

/** Two servers on one database. One of them reaches it through a network that the tests can interrupt. */
async function startServers() {
  const mongo = await startMongo();
  const network = await openNetwork(mongo.port);
  const start = async (url: string, options: { readonly timeout?: number }) => {
    const storage = await createMongoStorage({ url, ...options });
    const { connection } = storage;
    const blobs = createMongoBlobs(connection);
    const telex = await createTelex({ storage, blobs, images: engine, bus: createMongoBus(connection) });
    return { telex, ...(await serve({ telex, http: createHttp(telex), ws: createWs(telex), port: 0 })) };
  };
  const other = await start(`${mongo.url}/telex`, {});
  // Without `directConnection`, the driver would use the address that the database announces.
  const server = await start(`mongodb://127.0.0.1:${network.port}/telex?directConnection=true`, { timeout });
  const admin = await new MongoClient(mongo.url).connect();
  return {
    server,
    other,
    network,
    admin: admin.db("admin"),
    async close(): Promise<void> {
      network.restore();
      await Promise.all([server.close(0), other.close(0)]);
      await admin.close();
      network.close();
      await mongo.stop();
    },
  };
}

type Servers = Awaited<ReturnType<typeof startServers>>;

/** Polls until the condition holds. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await retryPause();
}

/** Alice, a device and a room, with sockets that stay open through all bad days. */
async function createScene({ server, other }: Servers) {
  const { id } = await other.telex.operator.users.add(operator, { nickname: "Alice" });
  const { token } = await other.telex.operator.tokens.issue(operator, { userId: id, scopes: ["chat"] });
  const { groupId } = await other.telex.operator.groups.add(operator, { groupType: 1, name: "Room", members: [id] });
  const client = createClient({ url: server.url, token });
  const deviceId = "printer";
  await client.teleprinter.register({ deviceId, name: "Printer" });
  const listen = async (url: string) => {
    const heard = { messages: new Array<{ readonly messageId: number; readonly content: string }>(), hasEnded: false };
    const socket = await openChannel({
      url,
      token,
      channel: "rooms",
      query: { echo: "1" },
      onEvent: ({ type, data }) => void (type === "GroupMessage" && heard.messages.push(data)),
    });
    void socket.ended.then(() => (heard.hasEnded = true));
    return Object.assign(heard, { socket });
  };
  const printed = { words: new Map<string, number>(), hasEnded: false };
  const device = await openChannel({
    url: server.url,
    token,
    channel: "teleprinter",
    query: { deviceId, ack: "1" },
    onEvent: ({ type, data }) => void (type === "TeleprinterMessage" && printed.words.set(data.content, data.id)),
  });
  void device.ended.then(() => (printed.hasEnded = true));
  const [here, there] = [await listen(server.url), await listen(other.url)];
  // A connection does not receive its own messages.
  const speaker = await listen(server.url);
  // A connection is ready when it has received something. Before that, a failure of the database ends it.
  await client.messages.send({ groupId, groupType: 1, message: "before" });
  for (const { messages } of [here, there, speaker]) await until(() => messages.length > 0);
  return { groupId, deviceId, client, speaker, device, printed, here, there };
}

let servers: Servers;
let scene: Awaited<ReturnType<typeof createScene>>;
beforeAll(async () => {
  servers = await startServers();
  scene = await createScene(servers);
}, 120_000);
afterAll(() => servers.close(), 120_000);

/** Repeats a call until it succeeds. Until then, it must fail with the error of the storage. */
async function again<Result>(call: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      const isPassing = error instanceof SocketError ? error.code === 500 : error instanceof TelexClientError;
      if (!isPassing || (error instanceof TelexClientError && error.status !== 503)) throw error;
    }
    await retryPause();
  }
}

/** The error with which a call was refused. */
const refusalOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => null,
    (error: unknown) => error,
  );

/** Begins a bad day. The returned function ends it. */
type Begin = (servers: Servers) => Promise<() => unknown>;

/** Makes writes of Telex fail with this error, or take this long. */
const failing =
  (data: Document): Begin =>
  async ({ admin }) => {
    const failCommands = ["bulkWrite", "insert", "update", "findAndModify", "delete", "commitTransaction"];
    const set = (mode: string) =>
      admin.command({ configureFailPoint: "failCommand", mode, data: { appName: "telex", failCommands, ...data } });
    await set("alwaysOn");
    return () => set("off");
  };

const network =
  (how: "remove" | "hold"): Begin =>
  ({ network: cable }) => {
    cable[how]();
    return Promise.resolve(cable.restore);
  };

const days: readonly { readonly name: string; readonly begin: Begin; readonly error?: string }[] = [
  { name: "is away", begin: network("remove") },
  { name: "does not answer", begin: network("hold") },
  { name: "steps down", begin: failing({ errorCode: 10_107 }) },
  { name: "is slow", begin: failing({ blockConnection: true, blockTimeMS: 2 * timeout }) },
  { name: "is read-only", begin: failing({ errorCode: 278 }) },
  { name: "is full", begin: failing({ errorCode: 14_031 }), error: "storage_full" },
];

/** Calls through each transport while the database has a bad day. All calls must be refused. */
async function callAll(name: string, error: string) {
  const { client, speaker, groupId, deviceId } = scene;
  const text = (what: string) => ({ groupId, groupType: 1, message: `${name}: ${what}`, nonce: randomUUID() }) as const;
  const [posted, said] = [text("posted"), text("said")];
  const printed = { deviceId, content: name, nonce: randomUUID() };
  const calls: readonly (() => Promise<unknown>)[] = [
    () => client.messages.send(posted),
    () => speaker.socket.call("sendGroupMessage", said),
    () => client.teleprinter.send(printed),
  ];
  const refused = { status: 503, code: error, retryAfter: expect.any(Number) as unknown };
  const refusals = await Promise.all(calls.map((call) => refusalOf(call())));
  // Sockets have one code for every failure of a server (interface 4.8).
  expect(refusals).toMatchObject([refused, { kind: "refused", code: 500 }, refused]);
  return calls;
}

describe("while the database", () => {
  it.each(sampleOf(days))(
    "$name, calls are refused with Retry-After, sockets stay open, and everything goes on afterwards",
    { timeout: 120_000 + away * 1000 },
    async ({ name, begin, error = "storage_unavailable" }) => {
      const { here, there, device, printed } = scene;
      const isReady = async () => (await fetch(`${servers.server.url}/readyz`)).ok;
      const end = await begin(servers);
      onTestFinished(async () => void (await end()));
      const calls = await callAll(name, error);
      await until(async () => !(await isReady()));
      await delay(away * 1000);
      await end();
      for (const call of calls) await again(call);
      const heardBy = ({ messages }: typeof here) => messages.filter(({ content }) => content.includes(`${name}: `));
      for (const one of [here, there]) await until(() => heardBy(one).length >= 2);
      // A refused message may have been stored. Its nonce identifies it, so it arrives once.
      const ids = heardBy(here).map(({ messageId }) => messageId);
      expect(ids).toEqual(ids.toSorted((a, b) => a - b));
      expect([ids.length, heardBy(there).map(({ messageId }) => messageId)]).toEqual([2, ids]);
      // Acknowledges the text of the earlier day only now: the connection keeps texts that the device has not acknowledged.
      for (const id of printed.words.values()) await again(() => device.call("ack", { id }));
      await until(() => printed.words.has(name));
      await until(isReady);
      expect([here.hasEnded, there.hasEnded, printed.hasEnded]).toEqual([false, false, false]);
    },
  );
});
