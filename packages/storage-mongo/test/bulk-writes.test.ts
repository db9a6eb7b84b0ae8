import { createManualClock } from "@telex/conformance/testing";
import { MongoClient } from "mongodb";
import { expect, it, onTestFinished } from "vitest";
import { sharedMongo } from "test-support/shared-mongo";
import { startCuttingProxy } from "./support/cutting-proxy.ts";
import { messageIn, newDatabase, openStorage } from "./support/database.ts";

/** Makes the server refuse a command of storages until the test ends. */
async function refuse(command: string, errorCode: number): Promise<void> {
  const client = await new MongoClient(sharedMongo()).connect();
  const data = { appName: "telex", failCommands: [command], errorCode };
  const set = (mode: string) => client.db("admin").command({ configureFailPoint: "failCommand", mode, data });
  onTestFinished(async () => {
    await set("off");
    await client.close();
  });
  await set("alwaysOn");
}

it.each([
  ["MongoDB before 8.0", 59],
  ["MongoDB 8.0 with the features of an earlier version", 115],
])("%s writes each collection in a command of its own", async (_name, errorCode) => {
  await refuse("bulkWrite", errorCode);
  const proxy = await startCuttingProxy(newDatabase());
  // Its timers do not run, so only the messages cause commands.
  const { messages } = await openStorage({ url: proxy.url, clock: createManualClock() });
  proxy.cutAt(Number.POSITIVE_INFINITY, "before");
  const [first, second] = [await messages.append(messageIn(7, "one")), await messages.append(messageIn(7, "two"))];
  expect([first, second]).toMatchObject([{ message: { seq: 1 } }, { message: { seq: 2 } }]);
  expect(proxy.seen.filter((command) => command === "bulkWrite")).toHaveLength(1);
  expect(proxy.seenOn("messages")).toEqual(["bulkWrite", "insert", "insert"]);
});

it("messages that share a transaction are written in a command for each collection if they are many", async () => {
  const proxy = await startCuttingProxy(newDatabase());
  const { messages } = await openStorage({ url: proxy.url, clock: createManualClock() });
  await messages.append(messageIn(7, "first"));
  proxy.cutAt(Number.POSITIVE_INFINITY, "before");
  await Promise.all(Array.from({ length: 20 }, (_, index) => messages.append(messageIn(7, `${index}`))));
  expect(proxy.seen).toEqual(["update", "insert", "update", "commitTransaction"]);
});

it("a server reads the head of a room after another one has written there", async () => {
  const url = newDatabase();
  const proxy = await startCuttingProxy(url);
  const [one, two] = [await openStorage({ url: proxy.url }), await openStorage({ url })];
  await one.messages.append(messageIn(7, "one"));
  await two.messages.append(messageIn(7, "two"));
  expect(await one.messages.append(messageIn(7, "three"))).toMatchObject({ message: { seq: 3 } });
  proxy.cutAt(Number.POSITIVE_INFINITY, "before");
  expect(await one.messages.append(messageIn(7, "four"))).toMatchObject({ message: { seq: 4 } });
  expect(proxy.seenOn("heads")).toEqual(["find", "bulkWrite"]);
});
