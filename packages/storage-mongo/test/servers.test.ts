import { createSharpEngine } from "@telex/image-text/sharp";
import { anonymous, echoModel, operator } from "@telex/core";
import type { LiveEvent } from "@telex/core/transport";
import { createScene, until } from "@telex/conformance/testing";
import { expect, it, onTestFinished } from "vitest";
import { createMongoBlobs, createMongoBus } from "../src/index.ts";
import { newDatabase, openStorage } from "./support/database.ts";

/** A server that looks for lost messages in the storage only once an hour: earlier messages come from the bus. */
async function startServer(url: string) {
  const storage = await openStorage({ url });
  const scene = await createScene({
    storage,
    images: createSharpEngine(),
    blobs: createMongoBlobs(storage.connection),
    bus: createMongoBus(storage.connection),
    models: new Map([["echo", echoModel]]),
    limits: { lostMessageCheck: 3_600_000 },
  });
  onTestFinished(() => scene.telex.close());
  return scene;
}

it("a user who is suspended on one server has no connection and no token on another within a second", async () => {
  const url = newDatabase();
  const [one, two] = [await startServer(url), await startServer(url)];
  const alice = await one.person("Alice");
  const closed: string[] = [];
  const write = () => undefined;
  two.telex.attach({ holder: await two.caller(alice), write, close: (reason) => void closed.push(reason) });
  await one.telex.operator.users.amend(operator, { id: alice.id, state: "suspended" });
  await until(() => closed.length > 0);
  expect(closed).toEqual(["token_ended"]);
  expect(await two.telex.authenticate(alice.token)).toEqual(anonymous);
  await one.telex.operator.users.amend(operator, { id: alice.id, state: "active" });
  await until(async () => (await two.telex.authenticate(alice.token)).kind === "token");
});

it("two servers exchange the messages of a room over change streams", async () => {
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

const count = 60;
const together = 40;

it.each([1, 3])(
  "of 60 replies of one user, 40 at a time on servers: %d, each ends, counts once and is kept",
  async (number) => {
    const url = newDatabase();
    const scenes = await Promise.all(Array.from({ length: number }, () => startServer(url)));
    const [first] = scenes;
    if (first === undefined) throw new Error("A server is open.");
    const alice = await first.person("Alice");
    const caller = await first.caller(alice);
    let left = count;
    const ends: unknown[] = [];
    const ask = async ({ telex }: (typeof scenes)[number]): Promise<void> => {
      while (left > 0) {
        left -= 1;
        for await (const event of await telex.ai.chat(caller, { content: "hello" }))
          if (event.kind === "result") ends.push(event.finishReason);
      }
    };
    const asking = Array.from({ length: together }, (_, index) => ask(scenes[index % number] ?? first));
    await Promise.all(asking);
    expect(ends).toEqual(Array.from({ length: count }, () => "stop"));
    expect(await first.telex.ai.quota(caller, {})).toMatchObject({ messageCount: count });
  },
);
