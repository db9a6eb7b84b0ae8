import { randomUUID } from "node:crypto";
import { createMongoStorage } from "@telex/storage-mongo";
import { expect, it, onTestFinished } from "vitest";
import { sharedMongo } from "test-support/shared-mongo";
import { roomThroughKills } from "../kills-room.ts";
import { pushThroughKills } from "../push-kills.ts";

const seed = Number(process.env["TELEX_TEST_SEED"] ?? Math.floor(Math.random() * 2 ** 32));
const pushKills = Number(process.env["TELEX_PUSH_KILLS"] ?? 2);
const roomKills = Number(process.env["TELEX_ROOM_KILLS"] ?? 2);
const timeout = 180_000 + Math.max(pushKills, roomKills) * 6000;

/** A storage that stays open when one of its servers ends. */
async function openStorage() {
  const storage = await createMongoStorage({ url: `${sharedMongo()}/kills-${randomUUID()}` });
  onTestFinished(() => storage.close());
  return { ...storage, close: () => Promise.resolve() };
}

it(`${pushKills} kills of three servers notify of nothing twice (seed ${seed})`, { timeout }, async () => {
  await expect(pushThroughKills(await openStorage(), { kills: pushKills, seed })).resolves.toBeUndefined();
});

it(`every client ends with the same room after ${roomKills} kills (seed ${seed})`, { timeout }, async () => {
  await expect(roomThroughKills(openStorage, { kills: roomKills, seed })).resolves.toBeUndefined();
});
