import { operator } from "@telex/core";
import { ticks } from "@telex/conformance/testing";
import { onTestFinished, describe, expect, it } from "vitest";
import { emojiOf } from "../src/messages/emoji.ts";
import { type Answer, start } from "./server.ts";

type Member = Awaited<ReturnType<Awaited<ReturnType<typeof start>>["member"]>>;

const field = (value: unknown, name: string): unknown => Reflect.get(Object(value), name);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

async function scene(options: Parameters<typeof start>[0] = {}) {
  const server = await start(options);
  const [alice, bob, carol] = [await server.member("alice"), await server.member("bob"), await server.member("carol")];
  const made = await alice.browser.post("/im/groups", { name: "Tea", members: [bob.id] });
  const groupId = Number(field(made.data, "groupId"));
  const send = async (by: Member, message: unknown, nonce?: string): Promise<number> => {
    const sent = await by.browser.post("/im/sendGroupMessage", { groupId, groupType: 1, message, nonce });
    return Number(field(sent.data, "messageId"));
  };
  const call = async (by: Member, path: string, body: object): Promise<Answer> =>
    await by.browser.post(`/im/${path}`, { groupId, ...body });
  /** The newest message of the room, with the fields of `more=1`. */
  const newest = async (by: Member): Promise<unknown> => {
    const page = await by.browser.get(`/im/getMessage?groupId=${groupId}&groupType=1&pageSize=1&more=1`);
    return listOf(field(page.data, "groupMessages"))[0];
  };
  const item = async (by: Member, id = groupId): Promise<unknown> => (await by.browser.get(`/im/groups/${id}`)).data;
  /** The frames that a connection of this member gets. */
  const listen = async (by: Member, query = "more=1") => {
    const socket = new WebSocket(`${server.url.replace("http", "ws")}/external/api/v1/im/imWebSocket?${query}`, {
      headers: { cookie: by.browser.cookie, origin: server.url },
    });
    onTestFinished(() => socket.close());
    const frames: unknown[] = [];
    socket.addEventListener("message", ({ data }) => frames.push(JSON.parse(String(data))));
    await new Promise((resolve) => socket.addEventListener("open", resolve));
    const types = (): unknown[] => frames.map((frame) => field(frame, "type"));
    /** Waits for the answer to a command of its own, which comes after all earlier frames. */
    const settled = async (): Promise<readonly unknown[]> => {
      const before = types().filter((type) => type === "OperationFailed").length;
      socket.send(JSON.stringify({ command: "sendGroupMessage", groupId: 999, groupType: 1, message: "x" }));
      while (types().filter((type) => type === "OperationFailed").length === before) await ticks();
      return frames.filter((frame) => field(frame, "type") !== "OperationFailed");
    };
    const command = (fields: object): void => socket.send(JSON.stringify(fields));
    return { frames, settled, command };
  };
  return { ...server, alice, bob, carol, groupId, send, call, newest, item, listen };
}

describe("an edit", () => {
  it("changes texts and mentions of one's own message, and says when", async () => {
    const { alice, bob, groupId, clock, send, call, newest } = await scene();
    const messageId = await send(alice, "Hello, bob.", "n");
    const edited = await call(alice, "edit", { messageId, message: [{ type: "text", data: { text: "你好" } }] });
    expect(edited.data).toMatchObject({ content: '[{"text":{"text":"你好"}}]', editedAt: clock.now(), messageId });
    expect(await newest(bob)).toEqual(edited.data);
    const plain = await bob.browser.get(`/im/getMessage?groupId=${groupId}&groupType=1&pageSize=1`);
    expect(listOf(field(plain.data, "groupMessages"))[0]).not.toHaveProperty("editedAt");
    // The result of the first send is still stored under its nonce.
    expect(await send(alice, "Hello, bob.", "n")).toBe(messageId);
    const found = async (q: string) => listOf(field((await bob.browser.get(`/im/search?q=${q}`)).data, "list")).length;
    expect([await found("nihao"), await found("Hello")]).toEqual([1, 0]);
  });

  it("is refused for others, for parts that differ, too late, and for what cannot change", async () => {
    const { telex, alice, bob, carol, clock, send, call } = await scene({ editLife: 60_000 });
    const messageId = await send(alice, "one");
    const answer = await send(alice, [
      { type: "reply", data: { messageId } },
      { type: "text", data: { text: "two" } },
    ]);
    const edit = async (by: Member, id: number, message: unknown = "new") =>
      (await call(by, "edit", { messageId: id, message })).error ?? "done";
    expect(await edit(bob, messageId)).toBe("not_owner");
    expect(await edit(carol, messageId)).toBe("group_not_found");
    expect(await edit(alice, messageId + 1000)).toBe("not_found");
    expect(await edit(alice, answer, "without the reply")).toBe("invalid_request");
    expect(await edit(alice, messageId, "")).toBe("invalid_request");
    const texts = ["1", "2"].map((text) => ({ type: "text", data: { text } }));
    expect(await edit(alice, answer, [texts[0], { type: "reply", data: { messageId } }, texts[1]])).toBe("done");
    const { groupId } = await telex.operator.groups.add(operator, {
      groupType: 4,
      name: "Out",
      members: [alice.id],
      ext: "1",
      bot: "b",
    });
    expect((await call(alice, "edit", { groupId, messageId: 1, message: "a" })).error).toBe("not_supported");
    expect((await call(alice, "react", { groupId, messageId: 1, emoji: "👍" })).error).toBe("not_found");
    await clock.advance(60_001);
    expect(await edit(alice, messageId)).toBe("too_late");
  });

  it("of a recalled message and of a notice is refused", async () => {
    const { alice, groupId, send, call, newest } = await scene();
    const messageId = await send(alice, "one");
    await call(alice, "recall", { messageId });
    expect((await call(alice, "edit", { messageId, message: "two" })).error).toBe("not_found");
    await alice.browser.patch(`/im/groups/${groupId}`, { name: "Coffee" });
    const notice = Number(field(await newest(alice), "messageId"));
    expect((await call(alice, "edit", { messageId: notice, message: "two" })).error).toBe("not_supported");
    expect((await call(alice, "react", { messageId: notice, emoji: "👍" })).error).toBe("not_supported");
    const next = await send(alice, "last");
    await alice.browser.post(`/im/groups/${groupId}/archive`);
    expect((await call(alice, "edit", { messageId: next, message: "two" })).error).toBe("archived");
  });

  it("is told to connections that ask for more, also to those that come back, and to nobody who has left", async () => {
    const { alice, bob, groupId, send, call, listen } = await scene();
    const first = await send(alice, "one");
    const last = await send(alice, "two");
    const [more, plain] = [await listen(bob), await listen(bob, "")];
    await call(alice, "edit", { messageId: first, message: "new" });
    await call(bob, "react", { messageId: first, emoji: "👍" });
    const told = await more.settled();
    expect(told).toMatchObject([
      { type: "GroupMessageEdited", data: { messageId: first, content: '[{"text":{"text":"new"}}]' } },
      { type: "GroupMessageReaction", data: { messageId: first, reactions: [{ emoji: "👍", count: 1 }] } },
    ]);
    expect(field(field(told[0], "data"), "editedAt")).toBeGreaterThan(0);
    expect(await plain.settled()).toEqual([]);
    const again = await (await listen(bob, `more=1&since=${last}`)).settled();
    expect(again).toMatchObject(told);
    expect(again).toHaveLength(2);
    expect(await (await listen(bob, `since=${last}`)).settled()).toEqual([]);
    await alice.browser.post(`/im/groups/${groupId}/members`, { remove: [bob.id] });
    await call(alice, "edit", { messageId: first, message: "secret" });
    await call(alice, "react", { messageId: first, emoji: "🎉" });
    expect(JSON.stringify(await more.settled())).not.toMatch(/secret|🎉/u);
    expect(await (await listen(bob, `more=1&since=${last}`)).settled()).toEqual([]);
    expect((await call(bob, "react", { messageId: first, emoji: "👍" })).error).toBe("group_not_found");
  });
});

describe("reactions", () => {
  it("of many who react simultaneously are all there, each once", async () => {
    const { alice, bob, send, call, newest } = await scene();
    const messageId = await send(alice, "one");
    const emojis = ["👍", "❤", "🎉", "👍", "🎉"];
    const react = async (by: Member, emoji: string, remove = false) =>
      await call(by, "react", { messageId, emoji, remove });
    const answers = await Promise.all(
      [alice, bob].flatMap((by) => emojis.map(async (emoji) => await react(by, emoji))),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const shown = async (): Promise<unknown> =>
      Object.fromEntries(
        listOf(field(await newest(bob), "reactions")).map((one) => [field(one, "emoji"), field(one, "count")]),
      );
    expect(await shown()).toEqual({ "❤\u{FE0F}": 2, "🎉": 2, "👍": 2 });
    await Promise.all([react(bob, "👍", true), react(bob, "👍", true), react(alice, "🎉", true)]);
    await react(bob, "🎉", true);
    expect(await shown()).toEqual({ "❤\u{FE0F}": 2, "👍": 1 });
  });

  it("are at most 20 different ones, and only emoji", async () => {
    const { alice, bob, send, call } = await scene();
    const messageId = await send(alice, "one");
    const react = async (by: Member, emoji: string) => (await call(by, "react", { messageId, emoji })).error ?? "done";
    const faces = Array.from({ length: 21 }, (_, at) => String.fromCodePoint(0x1f600 + at));
    for (const face of faces.slice(0, 20)) expect(await react(alice, face)).toBe("done");
    expect(await react(alice, faces[20] ?? "")).toBe("limit_reached");
    expect(await react(bob, faces[3] ?? "")).toBe("done");
    for (const text of ["a", "1", "", "👍👍", "<b>", "👍a"]) expect(await react(bob, text)).toBe("invalid_request");
  });

  it("are stored in one form of an emoji", () => {
    const pairs = [
      ["❤", "❤\u{FE0F}"],
      ["1\u{20E3}", "1\u{FE0F}\u{20E3}"],
      ["☝🏽", "☝🏽"],
      ["🏳\u{200D}🌈", "🏳\u{FE0F}\u{200D}🌈"],
      ["👍\u{FE0F}", "👍"],
      ["🇨🇳", "🇨🇳"],
      ["👩\u{200D}👩\u{200D}👧\u{200D}👦", "👩\u{200D}👩\u{200D}👧\u{200D}👦"],
    ] as const;
    for (const [given, stored] of pairs) {
      expect(emojiOf(given)).toBe(stored);
      expect(emojiOf(stored)).toBe(stored);
    }
    for (const text of ["", "1", "☺a", "🇨", "\u{FE0F}", "👩\u{200D}"]) expect(emojiOf(text)).toBeNull();
  });
});

describe("pins", () => {
  it("are set by those who run the room, at most 50, and end with a recall", async () => {
    const { alice, bob, groupId, send, call, newest, listen } = await scene();
    const pin = async (by: Member, messageId: number, remove = false) =>
      (await call(by, "pin", { messageId, remove })).error ?? "done";
    const pins = async (by: Member) =>
      listOf(field((await by.browser.get(`/im/groups/${groupId}/pins`)).data, "list")).map((one) =>
        field(one, "messageId"),
      );
    const ids: number[] = [];
    for (let at = 0; at < 51; at += 1) ids.push(await send(alice, `message ${at}`));
    const [first = 0, second = 0] = ids;
    expect(await pin(bob, first)).toBe("not_allowed");
    expect(await pin(alice, 999_999)).toBe("not_found");
    const done = await Promise.all(ids.map(async (id) => await pin(alice, id)));
    expect(done.filter((outcome) => outcome === "limit_reached")).toHaveLength(1);
    const pinned = await pins(bob);
    expect(new Set(pinned).size).toBe(50);
    expect(await pin(alice, second)).toBe(pinned.includes(second) ? "done" : "limit_reached");
    const gone = Number(pinned[0]);
    await call(alice, "recall", { messageId: gone });
    expect(await pins(bob)).toEqual(pinned.slice(1));
    await pin(alice, Number(pinned[1]), true);
    const last = await send(alice, "last");
    expect(await pin(alice, last)).toBe("done");
    expect(await newest(bob)).toMatchObject({ messageId: last, pinned: true });
    const more = await listen(bob);
    await pin(alice, last, true);
    await pin(alice, last);
    expect((await more.settled()).map((frame) => field(field(frame, "data"), "change"))).toEqual(["pins", "pins"]);
    expect(await pins(bob)).toEqual([last, ...pinned.slice(2)]);
    await alice.browser.post(`/im/groups/${groupId}/members`, { remove: [bob.id] });
    expect((await bob.browser.get(`/im/groups/${groupId}/pins`)).error).toBe("group_not_found");
  });
});

describe("levels and mentions", () => {
  it("are of the member alone, and unread mentions are counted", async () => {
    const { alice, bob, groupId, send, item, listen } = await scene();
    const [own, other] = [await listen(bob), await listen(alice)];
    const notify = async (by: Member, body: object) => await by.browser.post(`/im/groups/${groupId}/notify`, body);
    expect((await notify(bob, { level: "mentions", mutedUntil: 5 })).data).toEqual({
      notify: "mentions",
      mutedUntil: 5,
    });
    expect((await notify(bob, { level: "none" })).data).toEqual({ notify: "none", mutedUntil: 5 });
    expect(await item(bob)).toMatchObject({ notify: "none", mutedUntil: 5, mentions: 0 });
    expect(await item(alice)).toMatchObject({ notify: "default", mutedUntil: 0 });
    expect((await own.settled()).map((frame) => field(field(frame, "data"), "change"))).toEqual(["notify", "notify"]);
    expect(await other.settled()).toEqual([]);
    const mention = { type: "at", data: { userId: bob.id } };
    for (const message of ["@bob, hello", "bob, hello", [mention], "@bobby", [{ type: "at", data: { ext: "all" } }]])
      await send(alice, message);
    expect(await item(bob)).toMatchObject({ unread: 5, mentions: 3 });
    expect(await item(alice)).toMatchObject({ unread: 0, mentions: 0 });
    const chat = await alice.browser.post("/im/groups", { userId: bob.id });
    const id = Number(field(chat.data, "groupId"));
    await alice.browser.post("/im/sendGroupMessage", { groupId: id, groupType: 2, message: "Hello." });
    expect(await item(bob, id)).toMatchObject({ unread: 1, mentions: 1 });
  });
});

describe("readers", () => {
  it("are shown to members, unless one of the two has switched that off", async () => {
    const { alice, bob, carol, groupId, send } = await scene();
    await alice.browser.post(`/im/groups/${groupId}/members`, { add: [carol.id] });
    const messageId = await send(alice, "one");
    const readers = async (by: Member) =>
      listOf(field((await by.browser.get(`/im/groups/${groupId}/messages/${messageId}/readers`)).data, "list")).map(
        (one) => field(one, "nickname"),
      );
    expect(await readers(alice)).toEqual([]);
    for (const by of [bob, carol]) await by.browser.post(`/im/groups/${groupId}/read`, { messageId });
    expect(await readers(alice)).toEqual(["bob", "carol"]);
    await bob.browser.patch("/account", { showRead: false });
    expect([await readers(alice), await readers(bob), await readers(carol)]).toEqual([["carol"], [], ["carol"]]);
    const unknown = await alice.browser.get(`/im/groups/${groupId}/messages/999999/readers`);
    expect(unknown.error).toBe("not_found");
    await alice.browser.post(`/im/groups/${groupId}/members`, { remove: [bob.id] });
    const removed = await bob.browser.get(`/im/groups/${groupId}/messages/${messageId}/readers`);
    expect(removed.error).toBe("group_not_found");
  });
});

describe("typing", () => {
  it("is told to the others at most once in 3 s, unless one of the two has switched that off", async () => {
    const { alice, bob, carol, groupId, clock, listen } = await scene();
    await alice.browser.post(`/im/groups/${groupId}/members`, { add: [carol.id] });
    await carol.browser.patch("/account", { showRead: false });
    const [own, other, hidden, plain] = [
      await listen(alice),
      await listen(bob),
      await listen(carol),
      await listen(bob, ""),
    ];
    const typing = (by: typeof own, id = groupId): void =>
      by.command({ command: "typing", groupId: id, identifier: "t" });
    const typed = async (by: typeof own) =>
      (await by.settled()).filter((frame) => field(frame, "type") === "Typing").map((frame) => field(frame, "data"));
    typing(own);
    typing(own);
    typing(hidden);
    const results = (await own.settled()).map((frame) => [field(frame, "type"), field(frame, "code")]);
    expect(results).toEqual([
      ["TypingResult", 200],
      ["TypingResult", 200],
    ]);
    await hidden.settled();
    const told = { groupId, groupType: 1, userId: String(alice.id), nickname: "alice" };
    expect([await typed(other), await typed(own), await typed(hidden), await typed(plain)]).toEqual([
      [told],
      [],
      [],
      [],
    ]);
    await clock.advance(3000);
    typing(own);
    await own.settled();
    expect(await typed(other)).toEqual([told, told]);
    const refused = await listen(carol);
    await alice.browser.post(`/im/groups/${groupId}/members`, { remove: [bob.id] });
    await clock.advance(3000);
    typing(own);
    await own.settled();
    expect(await typed(other)).toEqual([told, told]);
    typing(refused, groupId + 1);
    while (!refused.frames.some((frame) => field(frame, "identifier") === "t")) await ticks();
    expect(refused.frames.find((frame) => field(frame, "identifier") === "t")).toMatchObject({
      type: "OperationFailed",
    });
  });
});
