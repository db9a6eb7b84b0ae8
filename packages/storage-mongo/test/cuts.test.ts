import { randomBytes } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { sampleOf } from "test-support/every";
import { describe, expect, it } from "vitest";
import { createMongoBlobs, type MongoStorage } from "../src/index.ts";
import { type Moment, startCuttingProxy } from "./support/cutting-proxy.ts";
import { messageIn, newDatabase, openStorage } from "./support/database.ts";

/** Writes that need several commands. `key` differs in each run. */
interface Work {
  readonly name: string;
  /** Writes, and returns what is stored afterwards. */
  readonly run: (storage: MongoStorage, key: number) => Promise<unknown>;
  readonly expected: unknown;
}

const now = 1_800_000_000_000;
const days = { from: "2026-11-01", to: "2026-12-01" };
const nonceLife = 86_400_000;

const works: readonly Work[] = [
  {
    name: "three messages of a room, in one batch",
    async run({ messages }, groupId) {
      const appends = ["one", "two", "three"].map((content) =>
        messages.append({
          ...messageIn(groupId, content),
          nonce: { value: content, fingerprint: content, life: nonceLife },
        }),
      );
      const outcomes = (await Promise.all(appends)).map(({ outcome }) => outcome);
      const page = await messages.page({ groupId, before: null, limit: 10 });
      return [outcomes, page.messages.map(({ content, seq }) => `${seq} ${content}`).toReversed()];
    },
    expected: [
      ["appended", "appended", "appended"],
      ["1 one", "2 two", "3 three"],
    ],
  },
  {
    name: "a text for a device, which takes and gets it",
    async run({ teleprinter }, key) {
      const device = { deviceId: `printer-${key}`, owner: 7 };
      await teleprinter.claimDevice({ ...device, name: "Printer", now });
      const text = { direction: "to_device", content: "print this", nonce: "once", nonceLife, queueLimit: 10 } as const;
      const appended = await teleprinter.append({ ...device, ...text, now });
      const taken = await teleprinter.take({ ...device, limit: 10, holder: "socket", now, until: now + 60_000 });
      const sent = appended.outcome === "appended" ? appended.message.id : 0;
      await teleprinter.deliver({ deviceId: device.deviceId, holder: "socket", ids: [sent] });
      const page = await teleprinter.page({ ...device, before: null, limit: 10 });
      const ids = taken.outcome === "taken" ? taken.messages.map(({ id }) => id === sent) : [];
      return [ids, page.outcome === "page" && page.messages.map(({ content, delivered }) => [content, delivered])];
    },
    expected: [[true], [["print this", true]]],
  },
  {
    name: "a share of a quota, which is settled",
    async run({ ai }, userId) {
      const share = { replies: 1, tokens: 10, started: 1 };
      const reservation = { reservationId: `share ${userId}`, userId, day: "2026-11-20", ...share, expiresAt: now + 1 };
      await ai.reserve({ reservation, unit: "count", max: 10, maxStarted: null, days, now });
      await ai.settle({ reservationId: reservation.reservationId, used: { replies: 1, tokens: 7, started: 1 } });
      return ai.sumUsage(userId, days);
    },
    expected: { replies: 1, tokens: 7, started: 1 },
  },
  {
    name: "a token that is issued and revoked, with its entry in the feed of changes",
    async run({ tokens, changes }, key) {
      const before = await changes.latest();
      const issue = { userId: 7, name: null, scopes: ["chat"], createdAt: now, expiresAt: null };
      const { tokenId } = await tokens.issueToken({ ...issue, digest: `digest ${key}` });
      await tokens.revokeToken({ tokenId }, now);
      const live = await tokens.listLiveTokens(7, { now, limit: 10 });
      return [live, (await changes.since(before))?.map((change) => [change.kind, change.key === String(tokenId)])];
    },
    expected: [[], [["token", true]]],
  },
  {
    name: "a file in GridFS",
    async run({ connection }) {
      const blobs = createMongoBlobs(connection);
      const [blobId, bytes] = [randomBytes(16).toString("hex"), randomBytes(600_000)];
      await blobs.put(
        blobId,
        (async function* () {
          yield bytes;
        })(),
      );
      const stored = await blobs.open(blobId);
      return stored !== null && (await buffer(stored)).equals(bytes);
    },
    expected: true,
  },
];

const moments: readonly Moment[] = ["before", "after"];

describe.each(sampleOf(works))("$name", ({ run, expected }) => {
  it.each(moments)("is done once, wherever the connection is cut %s a command", async (moment) => {
    const database = newDatabase();
    const proxy = await startCuttingProxy(database);
    const storage = await openStorage({ url: proxy.url });
    for (let index = 0, isCut = true; isCut; index += 1) {
      proxy.cutAt(index, moment);
      expect(await run(storage, index + 1), `cut ${moment} command ${index + 1}: ${proxy.seen.join(" ")}`).toEqual(
        expected,
      );
      isCut = proxy.seen.length > index;
    }
  });
});
