import { type ChatModel, type ChatPart, echoModel } from "@telex/core";
import { expect, it } from "vitest";
import { createClient } from "../src/client/client.ts";
import { createMemoryStorage } from "@telex/storage-memory";
import { overBothTransports, type Person, type Setup } from "./setup.ts";

const clientOf = ({ send }: Setup, { token }: Person) =>
  createClient({
    url: "http://telex.test",
    token,
    fetch: (request) =>
      send(new URL(request.url).pathname + new URL(request.url).search, { method: request.method, token }),
  });

async function ask(given: Setup, by: Person, content: string, conversationId?: number) {
  const caller = await given.telex.authenticate(by.token);
  const stream = await given.telex.ai.chat(caller, {
    content,
    ...(conversationId !== undefined && { conversationId }),
  });
  for await (const event of stream) if (event.kind === "result") return event.conversationId;
  throw new Error("A reply ends with its result.");
}

type Found = Awaited<ReturnType<ReturnType<typeof clientOf>["ai"]["searchConversations"]>>["list"];

/** Everything that a query finds, page by page. */
async function searchAll(given: Setup, by: Person, q: string, pageSize = 20): Promise<Found> {
  const found: Found[number][] = [];
  for (let cursor: string | null = null; ;) {
    const page: { readonly list: Found; readonly nextCursor: string | null } = await clientOf(
      given,
      by,
    ).ai.searchConversations({ q, pageSize, ...(cursor !== null && { cursor }) });
    expect(page.list.length).toBeLessThanOrEqual(pageSize);
    found.push(...page.list);
    if (page.nextCursor === null) return found;
    cursor = page.nextCursor;
  }
}

/** A model that always says the same. */
const says = (reply: string): ReadonlyMap<string, ChatModel> =>
  new Map([
    [
      "says",
      {
        ...echoModel,
        async *reply(): AsyncGenerator<ChatPart> {
          yield { kind: "delta", delta: reply };
          yield { kind: "end", usage: { promptTokens: 1, completionTokens: 1, estimated: true }, finishReason: "stop" };
        },
      },
    ],
  ]);

const path = (query: string): string => `/external/api/v1/sseStream/search?${query}`;

overBothTransports("the search in conversations", (open) => {
  it("finds questions and replies by their words, Chinese also by pinyin and initials, and shows where", async () => {
    const given = await open({ telex: { models: says("今天北京的天气很好。") } });
    const conversationId = await ask(given, given.alice, "What is the weather like in Beijing?");
    const [reply] = await searchAll(given, given.alice, "tianqi");
    expect(reply).toMatchObject({
      conversationId,
      role: "assistant",
      title: "What is the weather like in Beijing?",
      excerpt: "今天北京的天气很好。",
      matches: [{ start: 5, end: 7 }],
    });
    for (const q of ["bj", "天气 beijing", "t气", "今天"]) {
      expect(await searchAll(given, given.alice, q)).toMatchObject([{ messageId: reply?.messageId }]);
    }
    expect(await searchAll(given, given.alice, "WEATHER beij")).toMatchObject([{ role: "user" }]);
    for (const q of ["eather", "weather tianqi", "?!"]) expect(await searchAll(given, given.alice, q)).toEqual([]);
  });

  it("goes through the newest conversation first, in pages that show each message once", async () => {
    const given = await open();
    const [first, second] = [await ask(given, given.alice, "tea 1"), await ask(given, given.alice, "tea 2")];
    for (const number of [3, 4, 5]) await ask(given, given.alice, `tea ${number}`, first);
    const all = await searchAll(given, given.alice, "tea");
    expect(all.map(({ conversationId }) => conversationId)).toEqual([
      second,
      second,
      ...Array.from({ length: 8 }, () => first),
    ]);
    expect(all.map(({ excerpt }) => excerpt)).toEqual([2, 2, 5, 5, 4, 4, 3, 3, 1, 1].map((number) => `tea ${number}`));
    for (const size of [1, 3, 10]) expect(await searchAll(given, given.alice, "tea", size)).toEqual(all);
  });

  it("finds only what the caller has asked, and nothing of what was deleted or replaced", async () => {
    const given = await open();
    await ask(given, given.bob, "secret of Bob");
    const kept = await ask(given, given.alice, "secret one");
    const deleted = await ask(given, given.alice, "secret two");
    const inConversations = async () =>
      (await searchAll(given, given.alice, "secret")).map(({ conversationId }) => conversationId);
    expect(await inConversations()).toEqual([deleted, deleted, kept, kept]);
    await clientOf(given, given.alice).ai.deleteConversation({ conversationId: deleted });
    expect(await inConversations()).toEqual([kept, kept]);
    const [reply, question] = await searchAll(given, given.alice, "secret");
    const replaces = { from: question?.messageId ?? 0, to: reply?.messageId ?? 0 };
    const edit = { content: "plain", conversationId: kept, replaces };
    for await (const event of await given.telex.ai.chat(await given.telex.authenticate(given.alice.token), edit))
      void event;
    expect(await inConversations()).toEqual([]);
  });

  it("refuses other callers, and queries and cursors that mean nothing", async () => {
    const given = await open();
    const token = await given.issue(given.alice, ["profile"]);
    expect((await given.send(path("q=a"))).status).toBe(401);
    expect((await given.send(path("q=a"), { token })).status).toBe(403);
    const wrong = ["", "q=", "q=%20", `q=${"a".repeat(129)}`, "q=a&cursor=1", "q=a&cursor=1.-2", "q=a&pageSize=51"];
    for (const query of wrong) expect((await given.send(path(query), given.alice)).status).toBe(400);
  });

  it("reads a bounded number of conversations for a page, and comes to the end of them", async () => {
    const storage = createMemoryStorage();
    let reads = 0;
    const ai = {
      ...storage.ai,
      pageTurns: (page: Parameters<typeof storage.ai.pageTurns>[0]) => ((reads += 1), storage.ai.pageTurns(page)),
    };
    const given = await open({ telex: { storage: { ...storage, ai } } });
    const first = await ask(given, given.alice, "needle");
    const rest = { title: "", status: 0, defaultModel: "echo", lastMessage: 0, totalToken: 0 } as const;
    for (let count = 0; count < 1000; count += 1)
      await storage.ai.appendConversation({ userId: given.alice.id, ...rest });
    const { list, nextCursor } = await clientOf(given, given.alice).ai.searchConversations({ q: "needle" });
    expect({ list, hasNext: nextCursor !== null }).toEqual({ list: [], hasNext: true });
    expect(reads).toBeLessThanOrEqual(400);
    expect((await searchAll(given, given.alice, "needle")).map(({ conversationId }) => conversationId)).toEqual([
      first,
      first,
    ]);
  });
});
