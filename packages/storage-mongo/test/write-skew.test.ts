import type { FilePut, SendClaim } from "@telex/core/storage";
import { expect, it } from "vitest";
import { startCuttingProxy } from "./support/cutting-proxy.ts";
import { messageIn, newDatabase, openStorage } from "./support/database.ts";

/**
 * Two servers. `interfere` runs on the second one after a verb of the first one has read and before it writes, and the verb must notice
 * the change.
 */
async function openTwo() {
  const url = newDatabase();
  const proxy = await startCuttingProxy(url);
  const [first, second] = [await openStorage({ url: proxy.url }), await openStorage({ url })];
  const between = async <Result>(verb: () => Promise<Result>, interfere: () => Promise<unknown>): Promise<Result> => {
    const held = proxy.holdAt("bulkWrite");
    const result = verb();
    const sendOn = await held;
    await interfere();
    sendOn();
    return result;
  };
  return { first, second, between };
}

const md5 = "0".repeat(32);

const upload = (uploader: number): FilePut => ({
  file: { md5, sha256: "1".repeat(64), ext: "", size: 3, mime: "text/plain", blobId: md5 },
  uploader,
  name: "",
  kind: "text",
  reserved: null,
  code: null,
  unusedUntil: 1000,
  now: 1,
});

it("a file that is removed during an upload of the same bytes is stored again", async () => {
  const { first, second, between } = await openTwo();
  await first.bucket.putFile(upload(1));
  const put = await between(
    () => first.bucket.putFile(upload(1)),
    () => second.bucket.takeFile(md5),
  );
  expect(put).toMatchObject({ outcome: "stored" });
  expect(await second.bucket.findFile(md5)).toMatchObject({ md5 });
});

const nonce = { value: "n", fingerprint: "f", life: 1000 };
const claimOf = (id: string): SendClaim => ({
  id,
  account: "10001",
  groupId: 7,
  userId: "7",
  message: "hello",
  nonce,
  at: 1,
  until: 1000,
  limit: 10,
  activeSince: 0,
});

it("a message that is stored while its repeat is claimed for a bot is not sent again", async () => {
  const { first, second, between } = await openTwo();
  await first.messages.append(messageIn(7, "before"));
  const claimed = await between(
    () => first.messages.claimSend(claimOf("a")),
    () => second.messages.append({ ...messageIn(7, "hello"), nonce }),
  );
  expect(claimed).toMatchObject({ outcome: "repeated", message: { content: "hello" } });
});

it("a message that gets its nonce from an echo while its repeat is claimed for a bot is not sent again", async () => {
  const { first, second, between } = await openTwo();
  const network = { account: "10001", messageIds: ["echo"] };
  await first.messages.append({ ...messageIn(7, "hello"), network });
  const claimed = await between(
    () => first.messages.claimSend(claimOf("a")),
    () => second.messages.append({ ...messageIn(7, "hello"), network, nonce }),
  );
  expect(claimed).toMatchObject({ outcome: "repeated", message: { content: "hello" } });
});
