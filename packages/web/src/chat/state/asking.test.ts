import { expect, test } from "vitest";
import { createMemoryKeeper } from "../../../test/keeper.ts";
import { createShelf } from "../../base/shelf.ts";
import { createAsking } from "./asking.ts";
import { readQuestions } from "./kept-questions.ts";
import { createThread, type Message } from "./thread.ts";

const message = (id: number, role: Message["role"], content: string): Message => ({
  id,
  role,
  content,
  model: "echo",
  finishReason: null,
  createdAt: "",
});

test("an answer that a new connection has loaded is not also shown as failed", async () => {
  let kept: Message[] | null = [];
  const thread = createThread(7, () =>
    kept === null
      ? Promise.reject(new TypeError("no network"))
      : Promise.resolve({ messages: kept.toReversed(), nextPageCursor: null }),
  );
  await thread.load();
  const over = Promise.withResolvers<null>();
  const ended = Promise.withResolvers<undefined>();
  const asking = createAsking({
    isLive: () => true,
    shelf: createShelf(createMemoryKeeper(), "asked."),
    begun() {},
    over() {
      ended.resolve(undefined);
      return over.promise;
    },
    commands: { stop() {}, answer() {}, chat: () => Promise.resolve(7) },
  });
  kept = null;
  asking.ask(thread, "How?");
  await ended.promise;
  kept = [message(1, "user", "How?"), message(2, "assistant", "So.")];
  await thread.load();
  over.resolve(null);
  await expect.poll(() => asking.ended.value).not.toBeNull();
  expect(thread.exchange.value).toBeNull();
});

test("a question that the server does not have survives a reload until it is discarded", () => {
  const shelf = createShelf(createMemoryKeeper(), "asked.");
  const options = {
    begun() {},
    over: () => Promise.resolve(null),
    commands: { stop() {}, answer() {}, chat: () => Promise.resolve(7) },
  };
  const open = () => createThread(7, () => Promise.resolve({ messages: [], nextPageCursor: null }));
  const reload = () => createAsking({ ...options, shelf, isLive: () => false }).recall(open()).failed.value;
  const [asking, thread] = [createAsking({ ...options, shelf, isLive: () => false }), open()];
  asking.ask(thread, "How?");
  expect(reload().map(({ question }) => question)).toEqual(["How?"]);
  for (const { identifier } of thread.failed.value) asking.discard(thread, identifier);
  expect(reload()).toEqual([]);
});

test("questions that an earlier version of the page stored are read, and invalid ones are ignored", () => {
  const files = [{ file_id: "a", name: "a.txt" }];
  const kept = ["How?", { question: "Why?", replaces: { from: 1, to: 2 }, files: [...files, { name: 1 }] }, 7];
  expect(readQuestions("5")).toEqual([{ question: "5" }]);
  expect(readQuestions(JSON.stringify(kept))).toEqual([
    { question: "How?" },
    { question: "Why?", replaces: { from: 1, to: 2 }, files },
  ]);
  expect(readQuestions('[{"question":"","replaces":{"from":"1"}}]')).toEqual([
    { question: "", replaces: null, files: [] },
  ]);
});
