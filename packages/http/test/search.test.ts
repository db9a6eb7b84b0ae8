import { operator } from "@telex/core";
import { expect, it } from "vitest";
import { overBothTransports, type Person, type Setup } from "./setup.ts";
import { isObject } from "test-support/compare";

interface Found {
  readonly list: readonly {
    readonly message: Readonly<Record<string, unknown>>;
    readonly matches: readonly { readonly segment: number; readonly start: number; readonly end: number }[];
  }[];
  readonly nextCursor: string | null;
  readonly incomplete: boolean;
}

type Query = Readonly<Record<string, string | number>>;

const pathOf = (query: Query): string =>
  `/external/api/v1/im/search?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString()}`;

const addRoom = async ({ telex }: Setup, ...members: readonly Person[]): Promise<number> => {
  const ids = members.map(({ id }) => id);
  return (await telex.operator.groups.add(operator, { groupType: 1, name: "Room", members: ids })).groupId;
};

/** Sends these texts to a room, one after another, and returns the ids of the messages. */
async function say({ telex }: Setup, groupId: number, by: Person, ...texts: readonly string[]): Promise<number[]> {
  const caller = await telex.authenticate(by.token);
  const ids: number[] = [];
  for (const message of texts) {
    ids.push((await telex.messages.send(caller, { groupId, groupType: 1, message })).messageId);
  }
  return ids;
}

async function search({ send }: Setup, { token }: Person, query: Query): Promise<Found> {
  const response = await send(pathOf(query), { token });
  const body: unknown = await response.json();
  if (!isObject(body) || !isObject(body["data"])) throw new TypeError(JSON.stringify(body));
  expect(response.status).toBe(200);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the instance checks its answers
  return body["data"] as unknown as Found;
}

const idsIn = ({ list }: Found): unknown[] => list.map(({ message }) => message["messageId"]);

/** Everything that a query finds, page by page. */
async function searchAll(given: Setup, by: Person, query: Query): Promise<unknown[]> {
  const ids: unknown[] = [];
  for (let cursor: string | null = null; ;) {
    const page: Found = await search(given, by, cursor === null ? query : { ...query, cursor });
    ids.push(...idsIn(page));
    if (page.nextCursor === null) return ids;
    cursor = page.nextCursor;
  }
}

overBothTransports("search", (open) => {
  it("finds Chinese by its pinyin, and says where", async () => {
    const given = await open();
    const room = await addRoom(given, given.alice, given.bob);
    const [first] = await say(given, room, given.bob, "大家 你好！", "hello");
    const { list, nextCursor, incomplete } = await search(given, given.alice, { q: "nihao" });
    expect(list).toMatchObject([{ message: { messageId: first, groupId: room, userId: String(given.bob.id) } }]);
    expect(list[0]?.matches).toEqual([{ segment: 0, start: 3, end: 5 }]);
    expect({ nextCursor, incomplete }).toEqual({ nextCursor: null, incomplete: false });
    for (const q of ["ni3hao3", "nh", "nhao", "你hao", "你好", "dajia nihao", "niha"]) {
      expect(idsIn(await search(given, given.alice, { q }))).toEqual([first]);
    }
    for (const q of ["ni2hao3", "家你", "nihao hello"]) {
      expect(idsIn(await search(given, given.alice, { q }))).toEqual([]);
    }
  });

  it("answers with the newest first, in pages that show every message once", async () => {
    const given = await open();
    const room = await addRoom(given, given.alice);
    const other = await addRoom(given, given.alice);
    const ids: number[] = [];
    for (let number = 0; number < 15; number += 1) {
      ids.push(
        ...(await say(given, number % 3 === 0 ? other : room, given.alice, `word ${number}`, "else")).slice(0, 1),
      );
    }
    expect(await searchAll(given, given.alice, { q: "word", pageSize: 4 })).toEqual(ids.toReversed());
    const inOther = ids.filter((_, number) => number % 3 === 0).toReversed();
    expect(await searchAll(given, given.alice, { q: "word", groupId: other, pageSize: 2 })).toEqual(inOther);
  });

  it("finds nothing in rooms of others, and tells nothing of them", async () => {
    const given = await open();
    const own = await addRoom(given, given.alice);
    const foreign = await addRoom(given, given.bob);
    await say(given, foreign, given.bob, "secret");
    const [mine] = await say(given, own, given.alice, "secret too");
    expect(await searchAll(given, given.alice, { q: "secret" })).toEqual([mine]);
    const answers = await Promise.all(
      [foreign, 999_999].map(async (groupId) => {
        const response = await given.send(pathOf({ q: "secret", groupId }), { token: given.alice.token });
        return { status: response.status, body: await response.json() };
      }),
    );
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]).toMatchObject({ status: 404, body: { data: { error: "group_not_found" } } });
    await given.telex.operator.groups.amendMembers(operator, { groupId: own, remove: [given.alice.id] });
    expect(await searchAll(given, given.alice, { q: "secret" })).toEqual([]);
  });

  it("takes the messages of one sender, and those between two times", async () => {
    let now = 1_800_000_000_000;
    const given = await open({ telex: { clock: { now: () => now, after: () => () => undefined } } });
    const room = await addRoom(given, given.alice, given.bob);
    const ids: number[] = [];
    for (const by of [given.alice, given.bob, given.alice]) {
      ids.push(...(await say(given, room, by, "same words")));
      now += 1000;
    }
    const found = (query: Query) => searchAll(given, given.alice, { q: "same", ...query });
    expect(await found({ userId: given.bob.id })).toEqual([ids[1]]);
    expect(await found({ userId: `ext:${given.bob.id}` })).toEqual([]);
    expect(await found({ after: 1_800_000_000_000 })).toEqual([ids[2], ids[1]]);
    expect(await found({ before: 1_800_000_001_000 })).toEqual([ids[0]]);
    expect(await found({ after: 1_800_000_000_000, before: 1_800_000_002_000 })).toEqual([ids[1]]);
  });

  it("finds a message from the moment at which it is acknowledged", async () => {
    const given = await open();
    const room = await addRoom(given, given.alice);
    for (let number = 0; number < 10; number += 1) {
      const [id] = await say(given, room, given.alice, `found ${number}x`);
      expect(idsIn(await search(given, given.alice, { q: `${number}x` }))).toEqual([id]);
    }
  });

  it("refuses a wrong field by its name", async () => {
    const given = await open();
    const wrong: readonly [string, Query][] = [
      ["q", {}],
      ["q", { q: "" }],
      ["q", { q: " \u3000" }],
      ["q", { q: "😀".repeat(129) }],
      ["q", { q: "a\0" }],
      ["groupId", { q: "a", groupId: "1.0" }],
      ["userId", { q: "a", userId: "bob" }],
      ["userId", { q: "a", userId: "ext:" }],
      ["before", { q: "a", before: "1.5" }],
      ["after", { q: "a", after: -1 }],
      ["pageSize", { q: "a", pageSize: 101 }],
      ["cursor", { q: "a", cursor: "" }],
    ];
    for (const [path, query] of wrong) {
      const response = await given.send(pathOf(query), { token: given.alice.token });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ data: { issues: [{ path }] } });
    }
    expect((await given.send(pathOf({ q: "a" }))).status).toBe(401);
    const profile = await given.issue(given.alice, ["profile"]);
    expect((await given.send(pathOf({ q: "a" }), { token: profile })).status).toBe(403);
  });

  it("takes any query, and finds nothing without words", async () => {
    const given = await open();
    const room = await addRoom(given, given.alice);
    const [long] = await say(given, room, given.alice, "啊".repeat(10_000), "...!?", "😀");
    for (const q of ["...", "😀", "？！", "-", "👨‍👩‍👧"]) {
      expect((await search(given, given.alice, { q })).list).toEqual([]);
    }
    for (const q of ["啊".repeat(128), "a".repeat(128), "a", "啊"]) {
      expect(await searchAll(given, given.alice, { q })).toEqual([long]);
    }
    for (const q of [`${"a".repeat(127)}b`, "𐐀".repeat(128), "a b c d ".repeat(16), "zh".repeat(64)]) {
      expect(await searchAll(given, given.alice, { q })).toEqual([]);
    }
  });
});
