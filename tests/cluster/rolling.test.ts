import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { operator } from "@telex/core";
import { at, listAt, parse, textAt } from "test-support/json";
import { folder } from "test-support/command";
import { expect, inject, it } from "vitest";
import { anything, type Api, createApi, type Outcome, valueOf } from "../crash/support/api.ts";
import { codeOf, openSocket, type Socket } from "../crash/support/socket.ts";
import { openOperator } from "./ground.ts";
import { createDatabase, createNats, createServers, startBalancer } from "./nodes.ts";

const history = "/external/api/v1/im/getMessage";
/** The number of times that each server is replaced. */
const rounds = Number(process.env["TELEX_CLUSTER_ROLLS"] ?? 1);
/** Milliseconds for which the servers drain, and between two replacements. */
const drainTime = 2000;

/** The number of calls and of repeated calls of a run, and the calls whose repeat failed as well. */
interface Run {
  isOver: boolean;
  calls: number;
  repeats: number;
  readonly lost: string[];
}

/** Makes a call, and repeats it once if it fails. */
async function twice(run: Run, name: string, call: () => Promise<boolean>): Promise<void> {
  run.calls += 1;
  if (await call()) return;
  run.repeats += 1;
  if (!(await call())) run.lost.push(name);
}

const isDone = ({ kind }: Outcome<unknown>): boolean => kind === "done";

/** Sends over HTTP, and reads what it has sent. */
async function post(run: Run, api: Api, groupId: number, name: string): Promise<string[]> {
  const texts: string[] = [];
  for (let number = 1; !run.isOver; number += 1) {
    const text = `${name} ${number}`;
    const message = { groupId, groupType: 1, message: text, nonce: text };
    await twice(run, `send ${text}`, async () =>
      isDone(await api.post("/external/api/v1/im/sendGroupMessage", message, anything)),
    );
    texts.push(text);
    const page = { groupId, groupType: 1, pageSize: 20 };
    await twice(run, `history after ${text}`, async () => isDone(await api.get(history, page, anything)));
  }
  return texts;
}

/** Uploads and downloads. */
async function store(run: Run, api: Api): Promise<void> {
  for (let number = 1; !run.isOver; number += 1) {
    const bytes = new Uint8Array(10_000).fill(number % 256);
    bytes.set(Buffer.from(String(number)));
    await twice(run, `upload ${number}`, async () =>
      isDone(await api.upload("/external/api/v1/bucket/upload", bytes, anything)),
    );
    const md5 = createHash("md5").update(bytes).digest("hex");
    await twice(run, `download ${number}`, async () => {
      const file = await api.download(`/api/file/${md5}`);
      return file.kind === "done" && file.value !== null;
    });
    await delay(50);
  }
}

/** Sends over sockets, and connects again when the server closes its connection. */
async function speak(run: Run, url: string, token: string, groupId: number, name: string): Promise<string[]> {
  const texts: string[] = [];
  const connection: { socket: Socket<"rooms"> | null } = { socket: null };
  for (let number = 1; !run.isOver; number += 1) {
    const text = `${name} ${number}`;
    await twice(run, `command ${text}`, async () => {
      connection.socket ??= await openSocket({ url, token, channel: "rooms" });
      if (connection.socket === null) return false;
      const code = await codeOf(
        connection.socket.call("sendGroupMessage", { groupId, groupType: 1, message: text, nonce: text }),
      );
      if (code === null) connection.socket = null;
      return code === 200;
    });
    texts.push(text);
    await delay(20);
  }
  connection.socket?.close();
  return texts;
}

it("a call during a rolling update succeeds at the first or second attempt", { timeout: 300_000 }, async () => {
  const dataFolder = await folder();
  const database = await createDatabase(dataFolder);
  const nats = await createNats();
  const addresses = nats.map(({ port }) => `nats://127.0.0.1:${port}`);
  const storage = `mongodb://127.0.0.1:${database.port}/telex`;
  const servers = await createServers({ database: storage, nats: addresses, program: () => inject("newer") });
  const balancer = await startBalancer(dataFolder, servers);
  const telex = await openOperator(storage);
  try {
    const { id } = await telex.operator.users.add(operator, { nickname: "Alice" });
    const { token } = await telex.operator.tokens.issue(operator, { userId: id, scopes: ["chat"] });
    const { groupId } = await telex.operator.groups.add(operator, { groupType: 1, name: "Room", members: [id] });
    const run: Run = { isOver: false, calls: 0, repeats: 0, lost: [] };
    const api = createApi(balancer.url, token);
    const clients = Promise.all([
      post(run, api, groupId, "http 1"),
      post(run, api, groupId, "http 2"),
      speak(run, balancer.url, token, groupId, "socket 1"),
      speak(run, balancer.url, token, groupId, "socket 2"),
      speak(run, balancer.url, token, groupId, "socket 3"),
      store(run, api).then(() => []),
    ]);
    for (let round = 0; round < rounds; round += 1) {
      for (const server of servers) {
        await delay(drainTime);
        server.drain();
        await delay(drainTime);
        await server.stop();
        await server.start();
      }
    }
    await delay(drainTime);
    run.isOver = true;
    const sent = (await clients).flat();
    process.stdout.write(`  ${run.calls} calls, of which ${run.repeats} were repeated\n`);
    expect(run.lost).toEqual([]);
    const stored = await historyOf(api, groupId);
    expect(stored.toSorted()).toEqual(sent.toSorted());
  } finally {
    await telex.close();
    await Promise.all([...servers, ...nats, database].map((node) => node.kill()));
    await balancer.stop();
  }
});

/** The texts of a room, each as often as it is stored. */
async function historyOf(api: Api, groupId: number): Promise<string[]> {
  const texts: string[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const fields = { groupId, groupType: 1, pageSize: 100, ...(cursor !== "" && { cursor }) };
    const page = valueOf(await api.get(history, fields, anything), "history");
    const contents = listAt(page, "groupMessages").map((message) => parse(textAt(message, "content")));
    texts.push(...contents.map((content) => String(at(content, 0, "text", "text"))));
    const next = at(page, "nextPageCursor");
    cursor = typeof next === "string" ? next : null;
  }
  return texts;
}
