import { createSharpEngine } from "@telex/image-text/sharp";
import type { LiveEvent } from "@telex/core/transport";
import { createScene, until } from "@telex/conformance/testing";
import { expect, it, onTestFinished } from "vitest";
import { createMongoBlobs, createMongoBus } from "../src/index.ts";
import { newDatabase, openStorage } from "./support/database.ts";

/** A server that looks into the storage for lost messages only once an hour: what it tells earlier, the bus has told it. */
async function startServer(url: string) {
  const storage = await openStorage({ url });
  const scene = await createScene({
    storage,
    images: createSharpEngine(),
    blobs: createMongoBlobs(storage.connection),
    bus: createMongoBus(storage.connection),
    limits: { lostMessageCheck: 3_600_000 },
  });
  onTestFinished(() => scene.telex.close());
  return scene;
}

it("two servers tell each other over change streams what is sent to a room", async () => {
  const url = newDatabase();
  const [one, two] = [await startServer(url), await startServer(url)];
  const [alice, bob] = [await one.person("Alice"), await one.person("Bob")];
  const groupId = await one.room([alice, bob]);
  const told: LiveEvent[] = [];
  const connection = {
    holder: await two.caller(bob),
    write: (events: readonly LiveEvent[]) => void told.push(...events),
    close: () => undefined,
  };
  await two.telex.listen(connection, { echo: false, since: null }).ready;
  const caller = await one.caller(alice);
  const sent = await one.telex.messages.send(caller, { groupId, groupType: 1, message: "hello" });
  await until(() => told.length > 0);
  expect(told).toMatchObject([{ kind: "message", data: { messageId: sent.messageId } }]);
});
