import { expect, it } from "vitest";
import { again } from "./support/again.ts";
import { startCuttingProxy } from "./support/cutting-proxy.ts";
import { messageIn, newDatabase, openStorage } from "./support/database.ts";
import { openNetwork } from "./support/proxy.ts";

const contentsIn = async ({ messages }: Awaited<ReturnType<typeof openStorage>>, groupId: number) =>
  (await messages.page({ groupId, before: null, limit: 10 })).messages.map(({ content }) => content);

it("what a killed server has written and not committed holds up the others only until they miss it", async () => {
  const database = newDatabase();
  const proxy = await startCuttingProxy(database);
  const killed = await openStorage({ url: proxy.url, timeout: 3000 });
  await killed.messages.append(messageIn(7, "before"));
  proxy.loseAt("commitTransaction");
  await expect(killed.messages.append(messageIn(7, "lost"))).rejects.toMatchObject({ code: "storage_unavailable" });
  const other = await openStorage({ url: database, timeout: 30_000 });
  // A minute has passed since it gave a sign of life.
  await other.connection.db.collection("sessions").updateMany({}, { $inc: { until: -60_000 } });
  expect(await other.messages.append(messageIn(7, "after"))).toMatchObject({ outcome: "appended" });
  expect(await contentsIn(other, 7)).toEqual(["after", "before"]);
});

// Without an end, the database keeps a transaction for a minute.
it("what reaches the database after its connection was lost holds up nobody", { timeout: 50_000 }, async () => {
  const { url, hold, restore } = await openNetwork();
  const { messages } = await openStorage({ url, timeout: 1000 });
  await messages.append(messageIn(7, "before"));
  hold();
  await expect(messages.append(messageIn(7, "held"))).rejects.toMatchObject({ code: "storage_unavailable" });
  restore();
  await again(() => messages.append(messageIn(7, "after")));
});

it("a server that was taken for gone goes on", async () => {
  const database = newDatabase();
  const slow = await openStorage({ url: database });
  await slow.messages.append(messageIn(7, "before"));
  const sessions = slow.connection.db.collection<{ _id: string; ids: unknown[] }>("sessions");
  const [known] = await sessions.find().toArray();
  await slow.connection.db.command({ killSessions: known?.ids.map((id) => ({ id })) });
  await sessions.deleteMany({});
  await slow.messages.append(messageIn(7, "after"));
  expect(await contentsIn(slow, 7)).toEqual(["after", "before"]);
});
