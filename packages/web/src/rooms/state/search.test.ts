import { expect, test } from "vitest";
import { TelexClientError } from "@telex/http/client";
import type { Hit } from "../content/api.ts";
import { createSearch } from "./search.ts";

type Page = { list: Hit[]; nextCursor: string | null; incomplete: boolean };
type Asked = {
  readonly q: string;
  readonly cursor?: string | number | undefined;
  readonly groupId?: string | number | undefined;
};

const hit = (messageId: number): Hit => ({
  message: {
    id: String(messageId),
    messageId,
    groupId: 1,
    groupType: 1,
    userId: "1",
    type: 0,
    content: "[]",
    pinyin: "[]",
    groupName: "Kitchen",
    groupNamePinyin: "",
    createTime: 0,
    receiveTime: "",
    nickname: "Ben",
    nicknamePinyin: "",
    avatar: null,
  },
  matches: [],
});

const page = (ids: readonly number[], nextCursor: string | null, incomplete = false): Page => ({
  list: ids.map(hit),
  nextCursor,
  incomplete,
});

/** A search whose calls the test answers one by one. */
function begin() {
  const asked: Asked[] = [];
  const waiting: PromiseWithResolvers<Page>[] = [];
  const search = createSearch({
    search(input) {
      asked.push(input);
      const answer = Promise.withResolvers<Page>();
      waiting.push(answer);
      return answer.promise;
    },
  });
  const answer = async (given: Page | Error): Promise<void> => {
    const next = waiting.shift();
    if (given instanceof Error) next?.reject(given);
    else next?.resolve(given);
    await Promise.resolve();
    await new Promise((resolve) => setImmediate(resolve));
  };
  search.typed.value = " word ";
  return { asked, answer, search, ids: () => search.found.peek()?.hits.map(({ message }) => message.messageId) };
}

test("empty pages are skipped until there are enough results, or no more pages", async () => {
  const { asked, answer, search, ids } = begin();
  void search.start();
  await answer(page([], "90"));
  expect(search.found.peek()?.isSearching).toBe(true);
  await answer(page([80], "70", true));
  await answer(page([60], null));
  expect(ids()).toEqual([80, 60]);
  expect(search.found.peek()).toMatchObject({ next: null, isSearching: false, isIncomplete: true });
  expect(asked).toEqual([
    { q: "word", pageSize: 20 },
    { q: "word", pageSize: 20, cursor: "90" },
    { q: "word", pageSize: 20, cursor: "70" },
  ]);
});

test("the number of calls is limited, and the search continues on request", async () => {
  const { asked, answer, search } = begin();
  void search.start();
  for (let calls = 1; calls <= 10; calls += 1) await answer(page([], String(1000 - calls)));
  expect(search.found.peek()).toMatchObject({ next: "990", isSearching: false });
  void search.more();
  await answer(page([5], null));
  expect(asked.at(-1)?.cursor).toBe("990");
  expect(search.found.peek()).toMatchObject({ next: null, isSearching: false });
});

test("a new search, or clearing it, cancels the previous one", async () => {
  const { answer, search, ids } = begin();
  void search.start();
  search.scope.value = 7;
  void search.start();
  await answer(page([1], null));
  expect(ids()).toEqual([]);
  await answer(page([2], null));
  expect(ids()).toEqual([2]);
  void search.more();
  search.clear();
  await answer(page([3], null));
  expect(search.found.peek()).toBe(null);
});

test("results are kept when a further page fails, and the same page is requested again", async () => {
  const { asked, answer, search, ids } = begin();
  void search.start();
  await answer(page([9], "8"));
  await answer(new TelexClientError(429, { msg: "slow", data: { error: "rate_limited" } }, 1));
  expect(search.found.peek()).toMatchObject({ problem: "rateLimited", isSearching: false });
  void search.more();
  await answer(page([7], null));
  expect(ids()).toEqual([9, 7]);
  expect(asked.slice(1).map(({ cursor }) => cursor)).toEqual(["8", "8"]);
});

test("a recalled message is removed from the results", async () => {
  const { answer, search, ids } = begin();
  void search.start();
  await answer(page([9, 8], null));
  search.forget(9);
  expect(ids()).toEqual([8]);
});

test("spaces alone start no search", async () => {
  const { asked, search } = begin();
  search.typed.value = "  ";
  await search.start();
  expect([asked, search.found.peek()]).toEqual([[], null]);
});

test("the search box does not get the focus until a room requests it", () => {
  expect(begin().search.isWanted.value).toBe(false);
});
