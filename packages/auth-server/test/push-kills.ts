import { createLocalBus, operator } from "@telex/core";
import type { Storage } from "@telex/core/storage";
import { createManualClock, createRandom, ticks } from "@telex/conformance/testing";
import { expect } from "vitest";
import { createAuth } from "../src/index.ts";
import { type Mortal, startMortal } from "./kills-scene.ts";
import { pushScene } from "./push-scene.ts";

const window = 10_000;

/**
 * Two of the three servers of an installation are killed and restarted while Alice sends messages to rooms. Each browser that subscribed
 * before gets a notification of each message at most once, and exactly once if its server was not killed.
 * @param storage stays open when one of the servers ends
 */
export async function pushThroughKills(storage: Storage, { kills, seed }: { kills: number; seed: number }) {
  const random = createRandom(seed);
  const [clock, bus] = [createManualClock(Date.now()), createLocalBus()];
  const base = await pushScene({}, { beside: { clock, storage, bus } });
  const { alice, bob, carol, service, pushes, subscribe, create } = base;
  const rooms: number[] = [];
  for (let count = 0; count < 3; count += 1) rooms.push(await create(alice, [bob, carol]));
  const subscribed = [await subscribe(bob), await subscribe(carol)];
  const { token } = await base.telex.operator.tokens.issue(operator, { userId: alice.id, scopes: ["chat"] });
  const begin = async (): Promise<Mortal> => {
    const server = await startMortal(storage, bus, clock);
    createAuth(server.telex, { storage: server.storage, baseUrl: base.url, pushAllow: [service.host] });
    return server;
  };
  const servers = [await begin(), await begin()];
  const heardOf = async (messageId: number) => (await pushes(0)).filter((one) => one.messageId === messageId);
  /** Sends a message through a server, and perhaps kills that server before the answer. Returns true if it did. */
  const say = async (): Promise<boolean> => {
    const [at, groupId = 0] = [random.below(3), rooms[random.below(rooms.length)]];
    const server = servers[at];
    const { telex } = server ?? base;
    const sent = telex.messages.send(await telex.authenticate(token), { groupId, groupType: 1, message: "hello" });
    if (server !== undefined && random.chance(0.5)) {
      sent.catch(() => undefined);
      for (let turn = random.below(8); turn > 0; turn -= 1) await ticks(1);
      server.kill();
      servers[at] = await begin();
      return true;
    }
    const { messageId } = await sent;
    while ((await heardOf(messageId)).length < subscribed.length) await clock.advance(1000);
    return false;
  };
  for (let killed = 0; killed < kills; await clock.advance(window)) killed += (await say()) ? 1 : 0;
  const heard = await pushes(1);
  const times = Map.groupBy(heard, ({ messageId, path }) => `${path} ${messageId}`);
  expect([...times.values()].filter((all) => all.length > 1)).toEqual([]);
  expect(heard.filter(({ count }) => count !== 1)).toEqual([]);
  expect(new Set(heard.map(({ path }) => path))).toEqual(new Set(subscribed.map(({ path }) => path)));
}
