import type { MessageAppend } from "@telex/core/storage";
import { createManualClock } from "@telex/conformance/testing";
import { expect, it } from "vitest";
import { startCuttingProxy } from "./support/cutting-proxy.ts";
import { messageIn, newDatabase, openStorage } from "./support/database.ts";

const withNonce = (content: string, nonce = content): MessageAppend => ({
  ...messageIn(7, content),
  nonce: { value: nonce, fingerprint: "same", life: 86_400_000 },
});

/** Two servers on one database. */
async function openTwo() {
  const url = newDatabase();
  return [await openStorage({ url }), await openStorage({ url })] as const;
}

it("a message of a room in which no other server writes is stored with one write and its commit", async () => {
  const proxy = await startCuttingProxy(newDatabase());
  // Its timers do not run, so only the message causes commands.
  const storage = await openStorage({ url: proxy.url, clock: createManualClock() });
  await storage.messages.append(withNonce("first"));
  proxy.cutAt(Number.POSITIVE_INFINITY, "before");
  await storage.messages.append(withNonce("second"));
  expect(proxy.seen).toEqual(["bulkWrite", "commitTransaction"]);
});

it("a read is committed before it is answered: the database may still lose the data", async () => {
  const proxy = await startCuttingProxy(newDatabase());
  const storage = await openStorage({ url: proxy.url, clock: createManualClock() });
  const first = await storage.messages.append(withNonce("first"));
  proxy.cutAt(Number.POSITIVE_INFINITY, "before");
  expect(await storage.messages.append(withNonce("first"))).toEqual({ ...first, outcome: "repeated" });
  expect(proxy.seen.at(-1)).toBe("commitTransaction");
});

it("two servers that write to a room in turns number its messages without a gap", async () => {
  const servers = await openTwo();
  const stored: { readonly seq: number; readonly id: number }[] = [];
  for (let turn = 0; turn < 8; turn += 1) {
    const appended = await servers[turn % 2 === 0 ? 0 : 1].messages.append(withNonce(`${turn}`));
    if ("message" in appended) stored.push(appended.message);
  }
  expect(stored.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(stored.map(({ id }) => id)).toEqual(stored.map(({ id }) => id).toSorted((a, b) => a - b));
});

it("a repeat on another server is the message that was stored first", async () => {
  const [one, two] = await openTwo();
  await two.messages.append(withNonce("before"));
  const first = await one.messages.append(withNonce("hello"));
  const repeated = await two.messages.append(withNonce("hello"));
  expect(repeated).toEqual({ ...first, outcome: "repeated" });
  const other = { ...withNonce("hello"), nonce: { value: "hello", fingerprint: "another", life: 86_400_000 } };
  expect(await two.messages.append(other)).toEqual({ outcome: "nonce_conflict" });
});

it("a repeat is not refused because its file is gone", async () => {
  const [one, two] = await openTwo();
  await one.messages.append(withNonce("picture"));
  const repeated = await two.messages.append({ ...withNonce("picture"), files: ["0".repeat(32)] });
  expect(repeated.outcome).toBe("repeated");
  const refused = await two.messages.append({ ...withNonce("another"), files: ["0".repeat(32)] });
  expect(refused).toEqual({ outcome: "file_missing", md5: "0".repeat(32) });
});

it("a repeat to a device is not refused because its queue is full", async () => {
  const { teleprinter } = await openStorage({ url: newDatabase() });
  const device = { deviceId: "printer-1", owner: 7 } as const;
  await teleprinter.claimDevice({ ...device, name: "Printer", now: 1 });
  const text = { ...device, direction: "to_device", content: "hello", nonce: "once", nonceLife: 60_000 } as const;
  const append = () => teleprinter.append({ ...text, queueLimit: 1, now: 1 });
  expect((await append()).outcome).toBe("appended");
  expect((await append()).outcome).toBe("repeated");
});
