import { expect, it } from "vitest";
import { messageIn, newDatabase, openStorage } from "./support/database.ts";

const none = { nonce: null, files: [], attachments: [], network: null, sent: null };

it("messages that a server of the previous version stored or indexed are renewed, even later ones", async () => {
  const { messages, connection } = await openStorage({ url: newDatabase() });
  const documents = connection.db.collection("messages");
  const append = async (): Promise<number> => {
    const appended = await messages.append({ ...none, ...messageIn(7, "text") });
    if (appended.outcome !== "appended") throw new Error(appended.outcome);
    return appended.message.id;
  };
  /** As the previous version does it. */
  const indexThere = (id: number) => documents.updateOne({ id }, { $set: { terms: [1] }, $unset: { unindexed: "" } });
  const storeThere = async () => {
    const id = await append();
    await documents.updateOne({ id }, { $unset: { edition: "" } });
    return id;
  };
  const indexHere = async () => {
    const unindexed = await messages.listUnindexed();
    await messages.index(unindexed.map(({ groupId, seq, id }) => ({ groupId, seq, id, terms: [2] })));
  };
  const listed = async () => (await messages.listOutdated()).map(({ id }) => id).toSorted((a, b) => a - b);
  const [own, storedThere] = [await append(), await storeThere()];
  expect(await listed()).toEqual([]);
  await indexHere();
  expect(await listed()).toEqual([storedThere]);
  const indexedThere = await append();
  const bothThere = await storeThere();
  await indexThere(indexedThere);
  await indexThere(bothThere);
  expect(await listed()).toEqual([storedThere, indexedThere, bothThere]);
  expect(await messages.countOutdated(10)).toBe(3);
  const fresh = { pinyin: "new", nicknamePinyin: "newer", terms: [3] };
  await messages.renew((await messages.listOutdated()).map((one) => ({ ...one, fresh })));
  expect(await listed()).toEqual([]);
  const kept = await documents.find({}, { sort: { id: 1 } }).toArray();
  expect(kept).toMatchObject([
    { id: own, terms: [2], edition: 2 },
    ...[storedThere, indexedThere, bothThere].map((id) => ({ id, pinyin: "new", terms: [3], edition: 2 })),
  ]);
});
