import { createManualClock, ticks } from "@telex/conformance/testing";
import type { ByteStream, IncomingFile } from "@telex/files/blobs";
import type { FileRecord } from "@telex/files/records";
import { TelexError } from "@telex/ground/errors";
import { expect, it } from "vitest";
import { createMediaFetches } from "./media.ts";

const record: FileRecord = {
  md5: "0".repeat(32),
  sha256: "0".repeat(64),
  size: 2,
  mime: "image/png",
  ext: "png",
  blobId: "blob",
  createdAt: 0,
  usedAt: null,
};

/** Fetches with a storage that keeps all bytes, in chunks. */
function createScene(receiveFile?: (file: IncomingFile) => Promise<FileRecord>, gatewayMediaFetches = 1) {
  const clock = createManualClock();
  const stored: { readonly groupId: number; readonly name: string; readonly chunks: readonly string[] }[] = [];
  const refused: (readonly [string, object])[] = [];
  const closing = new AbortController();
  const keep = async (groupId: number, file: IncomingFile): Promise<FileRecord> => {
    const texts: string[] = [];
    for await (const bytes of file.bytes) texts.push(Buffer.from(bytes).toString());
    stored.push({ groupId, name: file.name, chunks: texts });
    return record;
  };
  const openFetch = createMediaFetches({
    receiveFile: (groupId, file) => receiveFile?.(file) ?? keep(groupId, file),
    clock,
    limits: { gatewayMediaTime: 1000, gatewayMediaFetches },
    faults: { failed: () => undefined, refused: (event, fields) => void refused.push([event, fields]) },
    closing: closing.signal,
  });
  return { clock, stored, refused, closing, openFetch, open: () => openFetch("network", 7) };
}

const media = (open: (signal: AbortSignal) => Promise<ByteStream>) => ({ open, name: "a.png", mime: "image/png" });
const lost = (code: string) => ["gateway.media_lost", { gateway: "network", groupId: 7, code }];
const never = <T>(): Promise<T> => new Promise(() => {});

async function* chunks(...texts: readonly string[]): ByteStream {
  for (const text of texts) yield Buffer.from(text);
}

/** Gives some chunks and hangs. Its end is counted. */
function createHanging(...texts: readonly string[]) {
  const rest = texts.map((text) => Buffer.from(text));
  const ends = { count: 0 };
  const stream: ByteStream = {
    [Symbol.asyncIterator]: () => ({
      next() {
        const value = rest.shift();
        return value === undefined ? never() : Promise.resolve({ done: false, value });
      },
      return() {
        ends.count += 1;
        return Promise.reject(new Error("The end fails, too."));
      },
    }),
  };
  return { stream, ends };
}

it("stores the bytes of a file for its room, chunk by chunk", async () => {
  const { open, stored, refused } = createScene();
  expect(await open().fetch(media(() => Promise.resolve(chunks("a", "b"))))).toBe(record);
  expect(stored).toEqual([{ groupId: 7, name: "a.png", chunks: ["a", "b"] }]);
  expect(refused).toEqual([]);
});

it("does without a file that the network cannot open or breaks off", async () => {
  const { open, refused, stored } = createScene();
  async function* broken(): ByteStream {
    yield Buffer.from("a");
    throw new Error("The network breaks off.");
  }
  const fetch = open();
  expect(await fetch.fetch(media(() => Promise.reject(new Error("There is no such file."))))).toBeNull();
  expect(await fetch.fetch(media(() => Promise.resolve(broken())))).toBeNull();
  expect(refused).toEqual([lost("file_not_found"), lost("file_not_found")]);
  expect(stored).toEqual([]);
});

it("does without the files of a message that take too long together, and ends their streams", async () => {
  const { open, clock, refused } = createScene();
  const fetch = open();
  const { stream, ends } = createHanging("a");
  const signals: AbortSignal[] = [];
  const first = fetch.fetch(
    media((signal) => {
      signals.push(signal);
      return Promise.resolve(stream);
    }),
  );
  const second = fetch.fetch(media(() => Promise.resolve(chunks("late"))));
  await ticks();
  await clock.advance(999);
  expect(refused).toEqual([]);
  await clock.advance(1);
  expect([await first, await second]).toEqual([null, null]);
  expect(refused).toEqual([lost("timeout"), lost("timeout")]);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  expect(ends.count).toBe(1);
});

it("opens no file after the time of its message", async () => {
  const { open, clock } = createScene();
  const fetch = open();
  await clock.advance(1000);
  let isOpened = false;
  const late = media(() => {
    isOpened = true;
    return Promise.resolve(chunks("a"));
  });
  expect(await fetch.fetch(late)).toBeNull();
  expect(isOpened).toBe(false);
});

it("fetches as many files at a time as it may, of all messages", async () => {
  const { open } = createScene(undefined, 2);
  const gates = Array.from({ length: 3 }, () => Promise.withResolvers<ByteStream>());
  const begun: number[] = [];
  const fetches = gates.map(({ promise }, index) =>
    open().fetch(
      media(() => {
        begun.push(index);
        return promise;
      }),
    ),
  );
  await ticks();
  expect(begun).toEqual([0, 1]);
  gates[1]?.resolve(chunks("b"));
  expect(await fetches[1]).toBe(record);
  await ticks();
  expect(begun).toEqual([0, 1, 2]);
  for (const gate of gates) gate.resolve(chunks("a"));
  expect(await Promise.all(fetches)).toEqual([record, record, record]);
});

it("fetches no more when the instance closes, also for messages that come later", async () => {
  const { open, closing, refused } = createScene();
  const fetched = open().fetch(media(never));
  await ticks();
  closing.abort();
  expect(await fetched).toBeNull();
  expect(await open().fetch(media(() => Promise.resolve(chunks("a"))))).toBeNull();
  expect(refused).toEqual([lost("timeout"), lost("timeout")]);
});

it("leaves no timer and no listener when a message has ended", async () => {
  const { openFetch, clock, closing } = createScene();
  let listeners = 0;
  const { signal } = closing;
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  signal.addEventListener = (...input: Parameters<typeof add>) => {
    listeners += 1;
    add(...input);
  };
  signal.removeEventListener = (...input: Parameters<typeof remove>) => {
    listeners -= 1;
    remove(...input);
  };
  const fetch = openFetch("network", 7);
  const pending = fetch.fetch(media(never));
  expect([listeners, clock.waiting().length]).toEqual([1, 1]);
  fetch.end();
  expect(await pending).toBeNull();
  expect([listeners, clock.waiting().length]).toEqual([0, 0]);
});

it.each([
  new TelexError("too_large", { params: { max: 1 } }),
  new TelexError("quota_exceeded"),
  new TelexError("file_conflict"),
  new TelexError("storage_full"),
])("does without a file that the storage refuses with $code", async (refusal) => {
  const { open, refused } = createScene(() => Promise.reject(refusal));
  expect(await open().fetch(media(() => Promise.resolve(chunks("a"))))).toBeNull();
  expect(refused).toEqual([lost(refusal.code)]);
});

it("passes failures of the storage on, and frees the place of the file", async () => {
  const failures: Error[] = [new TelexError("storage_unavailable"), new Error("The disk is gone.")];
  let calls = 0;
  const { open, refused } = createScene(() => Promise.reject(failures[calls++] ?? new Error("no more")));
  const fetch = open();
  for (const failure of failures)
    await expect(fetch.fetch(media(() => Promise.resolve(chunks("a"))))).rejects.toBe(failure);
  expect(refused).toEqual([]);
});
