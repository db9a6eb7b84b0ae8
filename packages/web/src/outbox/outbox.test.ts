import type { DeviceMessageView } from "@telex/core";
import { TelexClientError } from "@telex/http/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createShelf } from "../base/shelf.ts";
import { createMemoryKeeper } from "../../test/keeper.ts";
import { createOutbox, type Outbox } from "./outbox.ts";

type Sent = { readonly to: string; readonly content: string; readonly nonce: string };
type Reply = (text: Sent) => Promise<DeviceMessageView>;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const stored = (id: number, content: string, deviceId = "kitchen"): DeviceMessageView => ({
  id,
  deviceId,
  content,
  direction: "to_device",
  delivered: 0,
  createdAt: "2026-11-20T08:15:30.123+00:00",
});
const unreachable = new TypeError("failed to fetch");
const refusal = (code: TelexClientError["code"], status: number): TelexClientError =>
  new TelexClientError(status, { msg: "", data: { error: code } }, undefined);

function setup(reply: Reply, keeper = createMemoryKeeper()) {
  const sent: Sent[] = [];
  const known: DeviceMessageView[] = [];
  const outbox = createOutbox<DeviceMessageView>({
    send: (text) => {
      sent.push({ to: text.to, content: text.content, nonce: text.nonce });
      return reply(text);
    },
    stored: (message) => known.push(message),
    canBe: (message, { to, content }) =>
      message.direction === "to_device" && message.deviceId === to && message.content === content,
    isLive: () => true,
    shelf: createShelf(keeper, "outbox."),
  });
  return { outbox, sent, known, keeper };
}

/** A server whose responses the test controls. */
function byHand() {
  const waiting: { readonly resolve: (message: DeviceMessageView) => void; readonly reject: (error: Error) => void }[] =
    [];
  const reply: Reply = () => new Promise((resolve, reject) => waiting.push({ resolve, reject }));
  return { reply, next: () => waiting.shift() };
}

const states = (outbox: Outbox<DeviceMessageView>): string[] =>
  outbox.texts.value.map(({ content, state }) => `${content}: ${state}`);
const turn = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

test("a text is shown immediately, and leaves the outbox when the server has it", async () => {
  const { reply, next } = byHand();
  const { outbox, known, keeper } = setup(reply);
  outbox.send("kitchen", "hello");
  expect(states(outbox)).toEqual(["hello: sending"]);
  expect(keeper.length).toBe(1);
  await turn();
  next()?.resolve(stored(1, "hello"));
  await turn();
  expect(states(outbox)).toEqual([]);
  expect(known.map(({ id }) => id)).toEqual([1]);
  expect(keeper.length).toBe(0);
});

test("texts for one device are sent sequentially, and those for other devices do not wait", async () => {
  const { reply, next } = byHand();
  const { outbox, sent } = setup(reply);
  outbox.send("kitchen", "one");
  outbox.send("kitchen", "two");
  outbox.send("attic", "three");
  await turn();
  expect(sent.map(({ content }) => content)).toEqual(["one", "three"]);
  next()?.resolve(stored(1, "one"));
  await turn();
  expect(sent.map(({ content }) => content)).toEqual(["one", "three", "two"]);
});

test("a text without a response is sent again with the same nonce, before later texts", async () => {
  let fails = true;
  const { outbox, sent } = setup((text) =>
    fails ? Promise.reject(unreachable) : Promise.resolve(stored(1, text.content)),
  );
  outbox.send("kitchen", "one");
  outbox.send("kitchen", "two");
  await turn();
  expect(states(outbox)).toEqual(["one: waiting", "two: waiting"]);
  expect(sent.map(({ content }) => content)).toEqual(["one"]);
  fails = false;
  await outbox.retry();
  expect(sent.map(({ content }) => content)).toEqual(["one", "one", "two"]);
  expect(sent[1]?.nonce).toBe(sent[0]?.nonce);
  expect(sent[2]?.nonce).not.toBe(sent[0]?.nonce);
});

test("a text that the server cannot accept yet is retried with pauses", async () => {
  const { outbox, sent } = setup(() => Promise.reject(refusal("storage_full", 503)));
  outbox.send("kitchen", "one");
  await vi.advanceTimersByTimeAsync(600);
  expect(sent.length).toBe(2);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(sent.length).toBeGreaterThan(5);
  expect(sent.length).toBeLessThan(20);
});

test("a text that the server rejects stays until the person decides, and does not block others", async () => {
  const { outbox, sent } = setup((text) =>
    text.content === "bad" ? Promise.reject(refusal("queue_full", 429)) : Promise.resolve(stored(2, text.content)),
  );
  outbox.send("kitchen", "bad");
  outbox.send("kitchen", "good");
  await turn();
  expect(outbox.texts.value).toMatchObject([{ content: "bad", state: "failed", problem: "queueFull" }]);
  await outbox.retry();
  expect(sent.map(({ content }) => content)).toEqual(["bad", "good"]);
  await outbox.retry(outbox.texts.value[0]?.nonce);
  expect(sent.map(({ content }) => content)).toEqual(["bad", "good", "bad"]);
  outbox.discard(outbox.texts.value[0]?.nonce ?? "");
  expect(states(outbox)).toEqual([]);
});

test("a message that may be the sent one is held back until the response identifies it", async () => {
  const { reply, next } = byHand();
  const { outbox, known } = setup(reply);
  outbox.send("kitchen", "hello");
  await turn();
  expect(outbox.hold(stored(7, "hello", "attic"))).toBe(false);
  expect(outbox.hold(stored(7, "other words"))).toBe(false);
  expect(outbox.hold({ ...stored(7, "hello"), direction: "from_device" })).toBe(false);
  expect(outbox.hold(stored(7, "hello"))).toBe(true);
  expect(outbox.hold(stored(8, "hello"))).toBe(true);
  expect(known).toEqual([]);
  next()?.resolve(stored(8, "hello"));
  await turn();
  expect(known.map(({ id }) => id)).toEqual([8, 7, 8]);
  expect(outbox.hold(stored(9, "hello"))).toBe(false);
});

test("texts survive a reload, and are sent with their nonce", async () => {
  const first = setup(() => Promise.reject(unreachable));
  first.outbox.send("kitchen", "one");
  await vi.advanceTimersByTimeAsync(10);
  first.outbox.send("kitchen", "two");
  await turn();
  const second = setup((text) => Promise.resolve(stored(1, text.content)), first.keeper);
  expect(states(second.outbox)).toEqual(["one: waiting", "two: waiting"]);
  await second.outbox.retry();
  expect(second.sent.map(({ content }) => content)).toEqual(["one", "two"]);
  expect(second.sent[0]?.nonce).toBe(first.sent[0]?.nonce);
});
