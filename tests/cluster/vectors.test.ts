import { randomUUID } from "node:crypto";
import { createLocalBus, createTelex, type Limits, operator, type Telex } from "@telex/core";
import { groupTypes } from "@telex/core/storage";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createHttp, serve } from "@telex/http";
import { createMongoBlobs, createMongoStorage } from "@telex/storage-mongo";
import { createWs } from "@telex/ws";
import { sampleOf } from "test-support/every";
import { type HttpWorld, httpVectors, playHttp } from "test-support/http-vectors";
import { startMongo } from "test-support/mongo";
import { openRawSocket } from "test-support/raw-socket";
import { playWs, type WsWorld, wsVectors } from "test-support/ws-vectors";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";

let mongo: Awaited<ReturnType<typeof startMongo>>;
beforeAll(async () => {
  mongo = await startMongo();
});
afterAll(() => mongo.stop());

const engine = createSharpEngine();

interface Options {
  readonly limits?: Partial<Limits>;
  readonly frameSize?: number | undefined;
}

/** Three servers on a new database. Each request goes to another server than the previous one. */
async function startThree({ limits = {}, frameSize }: Options = {}) {
  const database = `${mongo.url}/telex-${randomUUID()}`;
  const bus = createLocalBus();
  const start = async () => {
    const storage = await createMongoStorage({ url: database });
    const blobs = createMongoBlobs(storage.connection);
    const telex = await createTelex({ storage, blobs, images: engine, limits, bus });
    const ws = createWs(telex, frameSize === undefined ? {} : { limits: { frameSize } });
    const { url, close } = await serve({ telex, http: createHttp(telex), ws, port: 0 });
    return { telex, url, close };
  };
  const servers = [await start(), await start(), await start()];
  onTestFinished(async () => void (await Promise.all(servers.map(({ close }) => close(0)))));
  let turn = 0;
  return {
    next: () => servers[(turn += 1) % servers.length] ?? expect.unreachable(),
    first: () => servers[0] ?? expect.unreachable(),
  };
}

async function addPerson(telex: Telex, nickname: string, scopes: readonly string[] = ["chat"]) {
  const { id } = await telex.operator.users.add(operator, { nickname });
  const { token } = await telex.operator.tokens.issue(operator, { userId: id, scopes: [...scopes] });
  return { id, token };
}

async function addRoom(telex: Telex, groupType: number, name: string, members: readonly number[]): Promise<number> {
  const known = Object.values(groupTypes).find((type) => type === groupType) ?? expect.unreachable();
  const network = known === 1 || known === 2 ? {} : { ext: "500", ...(known > 3 && { bot: "bot-1" }) };
  const fields = { groupType: known, name, members: [...members], ...network };
  return (await telex.operator.groups.add(operator, fields)).groupId;
}

async function createHttpWorld(): Promise<HttpWorld> {
  const { next, first } = await startThree();
  return {
    alice: await addPerson(next().telex, "Alice"),
    bob: await addPerson(next().telex, "Bob"),
    room: (groupType, name, members) => addRoom(next().telex, groupType, name, members),
    issue: async ({ id }, scopes) => (await next().telex.operator.tokens.issue(operator, { userId: id, scopes })).token,
    send(path, { token, headers, ...init } = {}) {
      const all = new Headers(headers);
      if (token !== undefined) all.set("authorization", `Bearer ${token}`);
      // Each server has its own cache of texts of pictures, so a repeat must reach the same one.
      const { url } = path.startsWith("/api/generate/") ? first() : next();
      return fetch(`${url}${path}`, { redirect: "manual", ...init, headers: all });
    },
  };
}

const chatPath = "/external/api/v1/im/imWebSocket";

async function createWsWorld(options: Options): Promise<WsWorld> {
  const { next } = await startThree(options);
  return {
    user: (nickname, scopes) => addPerson(next().telex, nickname, scopes),
    group: (members, groupType) =>
      addRoom(
        next().telex,
        groupType,
        "Room",
        members.map(({ id }) => id),
      ),
    async open(token, query, protocols) {
      const socket = await openRawSocket(`${next().url.replace("http", "ws")}${chatPath}/${token}${query}`, protocols);
      onTestFinished(() => socket.socket.terminate());
      return socket;
    },
  };
}

/** Vectors that several servers satisfy differently: their replays begin 20 s before `since`, and clients drop known messages. */
const different: ReadonlySet<string> = new Set(["gap.json", "since.json"]);

describe("three servers say what the interface says, whichever of them is asked", () => {
  it.each(sampleOf(httpVectors))("$rule", async (vector) => {
    expect(await playHttp(await createHttpWorld(), vector)).toEqual([]);
  });

  it.each(sampleOf(wsVectors.filter(({ file }) => !different.has(file))))("$rule ($file)", async (vector) => {
    const { frameSize, ...limits } = vector.given.limits ?? {};
    const outcomes = await playWs(await createWsWorld({ limits, frameSize }), vector);
    expect(outcomes.map(([received]) => received)).toEqual(outcomes.map(([, expected]) => expected));
  });
});
