import { createMemoryStorage } from "@telex/storage-memory";
import { expect, it } from "vitest";
import { roomThroughKills } from "./kills-room.ts";

const seed = Number(process.env["TELEX_TEST_SEED"] ?? Math.floor(Math.random() * 2 ** 32));
/** `TELEX_ROOM_KILLS=500` takes some minutes. */
const kills = Number(process.env["TELEX_ROOM_KILLS"] ?? 12);

it(
  `every client ends with the same room after ${kills} kills (seed ${seed})`,
  { timeout: 20_000 + kills * 3000 },
  async () =>
    await expect(roomThroughKills((clock) => createMemoryStorage({ clock }), { kills, seed })).resolves.toBeUndefined(),
);
