import { expect, it } from "vitest";
import { newDatabase, openStorage } from "./support/database.ts";

const bot = {
  account: "10001",
  name: "Tea",
  gateway: "onebot",
  network: "qq",
  official: true,
  digest: "d",
  secret: null,
  connect: null,
  protocol: 0,
  minInterval: 1200,
  createdAt: 1,
};

it("an account stored by a server of the previous version has no name, and can get one", async () => {
  const { bots, records, connection } = await openStorage({ url: newDatabase() });
  await bots.appendBot(bot);
  const documents = connection.db.collection("bots");
  /** As the previous version does it. */
  await documents.updateOne({}, { $unset: { name: "" } });
  expect(await documents.findOne({})).not.toHaveProperty("name");
  const nameless = { ...bot, name: null };
  expect(await bots.listBots()).toEqual([nameless]);
  expect(await records.list("bots", { after: null, limit: 1 })).toEqual([nameless]);
  expect(await bots.amendBot("10001", { protocol: 11 })).toEqual({
    outcome: "amended",
    bot: { ...nameless, protocol: 11 },
  });
  await documents.updateOne({}, { $unset: { name: "" } });
  expect(await bots.amendBot("10001", { name: "Tea" })).toEqual({ outcome: "amended", bot: { ...bot, protocol: 11 } });
  expect(await bots.listBots()).toEqual([{ ...bot, protocol: 11 }]);
});
