import { expect, it } from "vitest";
import { startCuttingProxy } from "./support/cutting-proxy.ts";
import { messageIn, newDatabase, openStorage } from "./support/database.ts";

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
