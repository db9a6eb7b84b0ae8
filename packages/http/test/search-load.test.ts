import { defaultLimits, operator } from "@telex/core";
import type { Storage } from "@telex/core/storage";
import { createManualClock, ticks, until } from "@telex/conformance/testing";
import { createRateLimiter } from "@telex/core/transport";
import { createMemoryStorage } from "@telex/storage-memory";
import { expect, it } from "vitest";
import { closeAfterTest, overBothTransports, setup, type Setup } from "./setup.ts";

/** A storage whose searches wait until the test releases them. Counts those in progress, of all callers and of a room. */
function holdSearches(clock?: ReturnType<typeof createManualClock>) {
  const storage: Storage = createMemoryStorage(clock === undefined ? {} : { clock });
  const search = storage.messages.search.bind(storage.messages);
  const inProgress = new Map<number, number>();
  const seen = { calls: 0, most: 0, mostOfRoom: 0 };
  const held = Promise.withResolvers<void>();
  storage.messages.search = async (asked) => {
    const [room = 0] = asked.groupIds;
    inProgress.set(room, (inProgress.get(room) ?? 0) + 1);
    seen.calls += 1;
    seen.most = Math.max(
      seen.most,
      [...inProgress.values()].reduce((sum, one) => sum + one, 0),
    );
    seen.mostOfRoom = Math.max(seen.mostOfRoom, inProgress.get(room) ?? 0);
    try {
      await held.promise;
      return await search(asked);
    } finally {
      inProgress.set(room, (inProgress.get(room) ?? 0) - 1);
    }
  };
  const release = (): void => held.resolve();
  closeAfterTest(async () => release());
  return { storage, seen, release };
}

const path = "/external/api/v1/im/search?q=word";

async function addMember({ telex }: Setup, nickname: string): Promise<string> {
  const { id } = await telex.operator.users.add(operator, { nickname });
  await telex.operator.groups.add(operator, { groupType: 1, name: nickname, members: [id] });
  return (await telex.operator.tokens.issue(operator, { userId: id, scopes: ["chat"] })).token;
}

overBothTransports("many simultaneous searches", (open) => {
  it("of one member run two at a time, and those that cannot wait are refused, while everything else is answered", async () => {
    const { storage, seen, release } = holdSearches();
    const given = await open({ telex: { storage } });
    const token = await addMember(given, "Searcher");
    let refused = 0;
    const answers = Array.from({ length: 200 }, async () => {
      const response = await given.send(path, { token });
      if (response.status === 429) refused += 1;
      return response;
    });
    await until(() => refused === 182);
    expect(seen).toEqual({ calls: 2, most: 2, mostOfRoom: 2 });
    expect((await given.send("/healthz")).status).toBe(200);
    const heartbeat = await given.post("/external/api/v1/teleprinter/heartbeat", { deviceId: "printer" }, token);
    expect(heartbeat.status).toBe(404);
    release();
    const all = await Promise.all(answers);
    expect(all.filter(({ status }) => status === 200)).toHaveLength(18);
    expect(seen).toEqual({ calls: 18, most: 2, mostOfRoom: 2 });
    const [first] = all.filter(({ status }) => status === 429);
    expect(first?.headers.get("retry-after")).toBe("1");
    expect(await first?.json()).toMatchObject({ data: { error: "rate_limited" } });
  });

  it("of several members run four at a time, and each member has a turn", async () => {
    const { storage, seen, release } = holdSearches();
    const given = await open({ telex: { storage } });
    const tokens: string[] = [];
    for (const name of ["A", "B", "C", "D", "E"]) tokens.push(await addMember(given, name));
    const answers = tokens.flatMap((token) => Array.from({ length: 10 }, () => given.send(path, { token })));
    await until(() => seen.calls === 4);
    await ticks();
    expect(seen).toEqual({ calls: 4, most: 4, mostOfRoom: 2 });
    release();
    expect(new Set((await Promise.all(answers)).map(({ status }) => status))).toEqual(new Set([200]));
    expect(seen).toEqual({ calls: 50, most: 4, mostOfRoom: 2 });
  });
});

it("a search whose caller has gone leaves the queue, and does not run", async () => {
  const { storage, seen, release } = holdSearches();
  const given = await setup("over a socket", { telex: { storage } });
  const token = await addMember(given, "Searcher");
  const running = [given.send(path, { token }), given.send(path, { token })];
  await until(() => seen.calls === 2);
  const gone = new AbortController();
  const caller = await given.telex.authenticate(token);
  const waiting = given.telex.messages.search(caller, { q: "word" }, { signal: gone.signal });
  gone.abort();
  await expect(waiting).rejects.toMatchObject({ code: "rate_limited" });
  release();
  await Promise.all(running);
  await ticks();
  expect(seen.calls).toBe(2);
});

it("a search that has waited for ten seconds is refused", async () => {
  const clock = createManualClock();
  const { storage, seen, release } = holdSearches(clock);
  const given = await setup("in process", { telex: { storage, clock } });
  const token = await addMember(given, "Searcher");
  const running = [given.send(path, { token }), given.send(path, { token })];
  await until(() => seen.calls === 2);
  const waiting = given.send(path, { token });
  await ticks();
  await clock.advance(10_000);
  const response = await waiting;
  expect([response.status, response.headers.get("retry-after")]).toEqual([429, "1"]);
  release();
  expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200]);
  expect(seen.calls).toBe(2);
});

it("what a search reads counts as more calls of its caller: many rooms, and much text", async () => {
  const clock = createManualClock();
  const rate = { burst: 40, perMinute: 60 };
  const rateLimiter = createRateLimiter({ token: rate, address: rate }, { clock, limits: defaultLimits });
  const given = await setup("in process", { rateLimiter, telex: { clock } });
  const { telex, alice, bob } = given;
  const left = async (token: string, query = "word"): Promise<string | undefined> => {
    const answer = await given.send(`/external/api/v1/im/search?q=${query}`, { token });
    return /r=(\d+)/.exec(answer.headers.get("ratelimit") ?? "")?.[1];
  };
  // Each response reports the rest before its own search was charged.
  expect([await left(alice.token), await left(alice.token)]).toEqual(["39", "38"]);
  for (let room = 0; room < 120; room += 1) {
    await telex.operator.groups.add(operator, { groupType: 1, name: `Room ${room}`, members: [alice.id] });
  }
  expect([await left(alice.token), await left(alice.token)]).toEqual(["37", "34"]);
  const { groupId } = await telex.operator.groups.add(operator, { groupType: 1, name: "Room", members: [bob.id] });
  const caller = await telex.authenticate(bob.token);
  for (let count = 0; count < 8; count += 1) {
    await telex.messages.send(caller, { groupId, groupType: 1, message: "啊".repeat(10_000) });
  }
  expect([await left(bob.token, "none"), await left(bob.token)]).toEqual(["39", "35"]);
});
