import { randomUUID } from "node:crypto";
import { createManualClock, until } from "@telex/conformance/testing";
import type { Db } from "mongodb";
import { describe, expect, it, onTestFinished } from "vitest";
import { connect } from "../src/driver/connect.ts";
import { collectionOf } from "../src/driver/collections.ts";
import { createErrands } from "../src/batches/errands.ts";
import { createTurns, type Turn, type Turns } from "../src/batches/turns.ts";
import { type CuttingProxy, type Moment, startCuttingProxy } from "./support/cutting-proxy.ts";
import { messageIn, newDatabase, openStorage } from "./support/database.ts";

/** A database, and servers that take turns in it. */
async function openTurns(count: number): Promise<{ readonly db: Db; readonly servers: readonly Turns[] }> {
  const { client, db } = await connect({ url: newDatabase() });
  const servers = Array.from({ length: count }, () =>
    createTurns(db, createManualClock(), createErrands(db, { now: async () => Date.now() })),
  );
  onTestFinished(async () => {
    for (const server of servers) await server.end();
    await client.close();
  });
  return { db, servers };
}

/** Asks for the turn after a conflict; `begun` is called when the turn has begun. */
async function claim(server: Turns, begun: (turn: Turn) => void): Promise<Turn> {
  const turn = server.begin();
  await turn.add(["room 7"]);
  await turn.claim();
  begun(turn);
  return turn;
}

const ticketsIn = async (db: Db): Promise<number> =>
  (await collectionOf(db, "tickets").findOne({ _id: "room 7" }))?.next ?? 0;

/** Waits until this number of tickets is taken. */
async function untilTaken(db: Db, count: number): Promise<void> {
  while ((await ticketsIn(db)) < count) await new Promise((resolve) => setImmediate(resolve));
}

it("servers that write to one root take turns in the order in which they asked", async () => {
  const { db, servers } = await openTurns(5);
  const order: number[] = [];
  const asked: Promise<Turn>[] = [];
  for (const [index, server] of servers.entries()) {
    asked.push(claim(server, () => order.push(index)));
    await untilTaken(db, index + 1);
  }
  for (const [index, turn] of asked.entries()) {
    const { pass } = await turn;
    expect(order).toEqual(Array.from({ length: index + 1 }, (_, earlier) => earlier));
    pass(false);
  }
});

it("a server that was killed in its turn delays only the next one, for two seconds", async () => {
  const { servers } = await openTurns(3);
  const [killed, second, third] = servers;
  if (killed === undefined || second === undefined || third === undefined) throw new Error("Three servers are open.");
  const order: string[] = [];
  await claim(killed, () => order.push("killed"));
  const next = await claim(second, () => order.push("second"));
  const last = claim(third, () => order.push("third"));
  expect(order).toEqual(["killed", "second"]);
  next.pass(false);
  await last;
  expect(order).toEqual(["killed", "second", "third"]);
});

it("a root that only one server writes to for a while is not shared any more", async () => {
  const { db, servers } = await openTurns(1);
  const [server] = servers;
  if (server === undefined) throw new Error("A server is open.");
  // No more than necessary: a further turn would share the root again.
  for (let turns = 0; turns < 8; turns += 1) {
    const turn = await claim(server, () => undefined);
    turn.pass(false);
  }
  await server.end();
  const left = (["tickets", "turns"] as const).map((name) => collectionOf(db, name).countDocuments());
  expect(await Promise.all(left)).toEqual([0, 0]);
  const turn = server.begin();
  await turn.add(["room 7"]);
  expect(await ticketsIn(db)).toBe(0);
});

const sharedUser = 7;
const days = { from: "2026-11-01", to: "2026-12-01" };

/** A server behind a proxy that shares rooms and the quota of a user with others. */
async function openShared(): Promise<{
  readonly url: string;
  readonly proxy: CuttingProxy;
  readonly open: ReturnType<typeof openStorage>;
}> {
  const url = newDatabase();
  const first = await openStorage({ url });
  const queue = { next: 0, at: Date.now() };
  const rooms = Array.from({ length: 60 }, (_, index) => ({ ...queue, _id: `room ${index}` }));
  await collectionOf(first.connection.db, "tickets").insertMany([...rooms, { ...queue, _id: `ai/${sharedUser}` }]);
  const proxy = await startCuttingProxy(url);
  const open = openStorage({ url: proxy.url });
  await open;
  const looks = (): number => proxy.seenOn("tickets").filter((command) => command === "find").length;
  await until(() => looks() > 1);
  return { url, proxy, open };
}

it("batches of one turn may write to the same further record", async () => {
  const { proxy, open } = await openShared();
  const { ai } = await open;
  const times = { askedAt: 1, answeredAt: 1 };
  const texts = { question: "?", answer: "!", model: "m", finishReason: "stop", tokens: 1 } as const;
  const turn = { conversationId: 1, userId: sharedUser, ...texts, ...times };
  const used = { replies: 1, tokens: 1, started: 1 };
  const settle = async (reservationId: string): Promise<boolean> => {
    const reservation = {
      reservationId,
      userId: sharedUser,
      day: "2026-11-20",
      ...used,
      expiresAt: Date.now() + 60_000,
    };
    await ai.reserve({ reservation, unit: "count", max: 10, maxStarted: null, days, now: Date.now() });
    return ai.settle({ reservationId, used, turn });
  };
  const before = proxy.seenOn("conversations").length;
  const first = settle("first");
  // The first batch is in its transaction.
  await until(() => proxy.seenOn("conversations").length > before);
  expect(await Promise.all([first, settle("second"), settle("third")])).toEqual([true, true, true]);
});

const moments: readonly Moment[] = ["before", "after"];

it.each(moments)(
  "messages of a shared room are stored once, wherever the connection is cut %s a command",
  async (moment) => {
    const { proxy, open } = await openShared();
    const { messages } = await open;
    for (let index = 0, isCut = true; isCut; index += 1) {
      proxy.cutAt(index, moment);
      const appends = ["one", "two"].map((content) =>
        messages.append({
          ...messageIn(index, content),
          nonce: { value: content, fingerprint: "f", life: 86_400_000 },
        }),
      );
      const outcomes = (await Promise.all(appends)).map(({ outcome }) => outcome);
      const page = await messages.page({ groupId: index, before: null, limit: 10 });
      const stored = page.messages.map(({ seq, content }) => `${seq} ${content}`);
      expect([outcomes, stored]).toEqual([
        ["appended", "appended"],
        ["2 two", "1 one"],
      ]);
      isCut = proxy.seen.length > index;
    }
  },
);

const steps = ["findAndModify", "find", "update", "insert", "bulkWrite", "commitTransaction"] as const;

describe("a server that is killed in its turn", () => {
  it.each(steps)("at %s has stored its message once or not at all, and others go on", async (step) => {
    const { url, proxy, open } = await openShared();
    const killed = await open;
    proxy.loseAt(step);
    const nonce = { value: "lost", fingerprint: "f", life: 86_400_000 };
    const lost = killed.messages.append({ ...messageIn(7, "lost"), nonce }).catch(() => null);
    const other = await openStorage({ url, timeout: 30_000 });
    // As if a minute had passed since the last sign of life of the killed server.
    await other.connection.db.collection("sessions").updateMany({}, { $inc: { until: -60_000 } });
    expect(await other.messages.append(messageIn(7, "after"))).toMatchObject({ outcome: "appended" });
    await other.messages.append({ ...messageIn(7, "lost"), nonce });
    const { messages } = await other.messages.page({ groupId: 7, before: null, limit: 10 });
    expect(messages.map(({ content }) => content).toSorted()).toEqual(["after", "lost"]);
    await killed.close();
    expect(await lost).toBe(null);
  });
});

it.each([1, 3])("of 1,000 replies of one user, 40 at a time on servers: %d, none fails", async (count) => {
  const url = newDatabase();
  const servers = await Promise.all(Array.from({ length: count }, () => openStorage({ url })));
  const share = { replies: 1, tokens: 10, started: 1 };
  const now = Date.now();
  let left = 1000;
  const reply = async ({ ai }: (typeof servers)[number]): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const reservation = {
        reservationId: randomUUID(),
        userId: 7,
        day: "2026-11-20",
        ...share,
        expiresAt: now + 600_000,
      };
      const request = { unit: "count", max: 1000, maxStarted: 60, days, now } as const;
      expect(await ai.reserve({ reservation, ...request, maxStarted: null })).toBe("reserved");
      expect(await ai.settle({ reservationId: reservation.reservationId, used: share })).toBe(true);
    }
  };
  await Promise.all(servers.flatMap((server) => Array.from({ length: Math.ceil(40 / count) }, () => reply(server))));
  expect(await servers[0]?.ai.sumUsage(7, days)).toEqual({ replies: 1000, tokens: 10_000, started: 1000 });
});

it("of 100 uploads with one code on three servers one is stored, and the others learn without turns that it is used", async () => {
  const url = newDatabase();
  const servers = await Promise.all(Array.from({ length: 3 }, () => openStorage({ url })));
  const now = Date.now();
  const code = { digest: "code", storageId: "default" };
  await servers[0]?.bucket.issueCode({ ...code, expiresAt: now + 60_000 });
  const puts = Array.from({ length: 100 }, async (_, index) => {
    const name = randomUUID();
    const file = { md5: name.replaceAll("-", ""), sha256: name, size: 3, mime: "text/plain", ext: "", blobId: name };
    const described = { file, name, kind: "text" };
    const put = { ...described, uploader: null, reserved: null, unusedUntil: now + 60_000, now, code };
    return (await servers[index % 3]?.bucket.putFile(put))?.outcome;
  });
  const outcomes = Map.groupBy(await Promise.all(puts), (outcome) => outcome);
  expect(new Map([...outcomes].map(([outcome, all]) => [outcome, all.length]))).toEqual(
    new Map([
      ["stored", 1],
      ["code_used", 99],
    ]),
  );
  const { db } = servers[0]?.connection ?? {};
  expect(await db?.collection<{ _id: string }>("tickets").findOne({ _id: "upload code code" })).toBe(null);
});
