import { MongoClient } from "mongodb";
import { startMongo } from "test-support/mongo";
import { expect, it, onTestFinished } from "vitest";
import { newDatabase, openStorage } from "./support/database.ts";
import { startDeposedProxy } from "./support/deposed-proxy.ts";

/** Copies all documents of a database to another server. */
async function copy(from: string, to: string): Promise<void> {
  const [source, target] = await Promise.all([new MongoClient(from).connect(), new MongoClient(to).connect()]);
  onTestFinished(async () => {
    await source.close();
    await target.close();
  });
  for (const collection of await source.db().collections()) {
    const documents = await collection.find().toArray();
    if (documents.length > 0) await target.db().collection(collection.collectionName).insertMany(documents);
  }
}

it("a server that reaches only a deposed primary finds no revoked token valid, and does not take the feed of changes for whole", async () => {
  const old = await startMongo();
  onTestFinished(old.stop);
  const url = newDatabase();
  const other = await openStorage({ url });
  const issue = { digest: "digest", userId: 7, name: null, scopes: ["chat"], createdAt: 1, expiresAt: null } as const;
  const { tokenId } = await other.tokens.issueToken(issue);
  const proxy = await startDeposedProxy(url, old.url);
  const partitioned = await openStorage({ url: proxy.url, timeout: 2000 });
  const seen = await partitioned.changes.latest();
  expect(await partitioned.tokens.findToken("digest")).toMatchObject({ revokedAt: null });
  await copy(url, `${old.url}${new URL(url).pathname}`);
  proxy.depose();
  await other.tokens.revokeToken({ tokenId }, 2);
  // It answers with old data.
  expect(await partitioned.tokens.listLiveTokens(7, { now: 3, limit: 1 })).toMatchObject([{ revokedAt: null }]);
  await expect(partitioned.tokens.findToken("digest")).rejects.toMatchObject({ code: "storage_unavailable" });
  await expect(partitioned.changes.since(seen)).rejects.toMatchObject({ code: "storage_unavailable" });
});
