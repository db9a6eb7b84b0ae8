import { MongoClient, type ClientSession } from "mongodb";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startMongo } from "test-support/mongo";
import { expect, it, onTestFinished } from "vitest";

/** A database that survives a kill, and a client that waits for its return. */
async function startDurable() {
  const folder = mkdtempSync(join(tmpdir(), "telex-durable-"));
  let server = await startMongo({ folder, isDurable: true });
  const client = new MongoClient(`${server.url}/?directConnection=true`);
  onTestFinished(async () => {
    await client.close();
    await server.kill();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    client,
    killAndStart: async (): Promise<void> => {
      await server.kill();
      server = await startMongo({ folder, isDurable: true, port: server.port });
    },
  };
}

it("the database of the tests knows after a kill which transactions it has committed, as MongoDB does", async () => {
  const { client, killAndStart } = await startDurable();
  const texts = client.db("test").collection<{ _id: string }>("texts");
  await texts.insertOne({ _id: "before" });
  const write = async (id: string): Promise<ClientSession> => {
    const session = client.startSession();
    session.startTransaction();
    await texts.insertOne({ _id: id }, { session });
    return session;
  };
  const [committed, open] = [await write("committed"), await write("open")];
  await committed.commitTransaction();
  await killAndStart();
  // A second call sends the commit again, as the driver does when it got no response.
  await committed.commitTransaction();
  const refusal: unknown = await open.commitTransaction().catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: 251, errorLabels: ["TransientTransactionError"] });
  expect(await texts.distinct("_id")).toEqual(["before", "committed"]);
});
