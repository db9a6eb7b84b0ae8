import { verifySqlite } from "@telex/storage-sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createRandom, type Random } from "@telex/conformance/testing";
import { folder } from "test-support/command";
import { checkPrinters, checkRegistry, drainPrinters } from "./checks/devices.ts";
import { checkCodes, createDiskCheck } from "./checks/files.ts";
import { checkReaders, checkRooms } from "./checks/rooms.ts";
import { checkChat, checkTokens } from "./checks/users.ts";
import { driveChat } from "./drivers/chat.ts";
import { driveFiles } from "./drivers/files.ts";
import { driveOperator } from "./drivers/operator.ts";
import { driveReceivers } from "./drivers/receivers.ts";
import { driveRegistry } from "./drivers/registry.ts";
import { driveRooms, readToTheEnd } from "./drivers/rooms.ts";
import { driveSenders } from "./drivers/senders.ts";
import { killAtStart, type Life, live } from "./support/life.ts";
import { createWorld } from "./support/new-world.ts";
import type { Check, Driver, World } from "./world.ts";

const { TELEX_CRASH_SEED, TELEX_CRASH_ROUNDS } = process.env;
const seed = Number(TELEX_CRASH_SEED ?? Math.floor(Math.random() * 2 ** 32));
const rounds = Number(TELEX_CRASH_ROUNDS ?? 50);

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const drivers: readonly Driver[] = [driveRegistry, driveSenders, driveReceivers, driveRooms, driveFiles, driveChat];

/** Uses the server until it is killed. */
async function workUntilKilled(world: World, life: Life, random: Random, round: number): Promise<void> {
  const running = [...drivers, ...(round % 3 === 0 ? [driveOperator] : [])];
  const working = running.map((drive, index) => drive(world, life, random.fork(index)));
  const over = Promise.all(working);
  // One kill in four happens while the clients still connect.
  const killed = delay(random.chance(0.25) ? random.next() * 100 : 100 + random.next() * 1200).then(() => life.kill());
  await Promise.all([over, killed]);
}

async function checkAll(
  world: World,
  life: Life,
  checks: readonly Check[],
  whole: boolean,
  what: string,
): Promise<void> {
  for (const check of checks) await check(world, life, whole);
  expect(world.problems, `seed ${seed}, ${what}`).toEqual([]);
}

function report(world: World, kills: number): void {
  say(`crash test: seed ${seed}, ${kills} kills`);
  for (const [kind, { done, unknown, refused }] of world.counts) {
    say(`  ${kind}: ${done} answered, ${unknown} without an answer, ${refused} refused`);
  }
  const repeats = world.printers.map(({ mode, deliveries }) => `${mode} ${deliveries.repeats}`).join(", ");
  say(`  messages to devices that came again after a crash: ${repeats}`);
}

it(
  `keeps what was answered, once, over ${rounds} kills under load and more during the start`,
  // A busy machine is slow, not wrong.
  { timeout: 900_000 },
  async () => {
    say(`crash test: seed ${seed}`);
    const random = createRandom(seed);
    const world = await createWorld(await folder());
    const tokens = { alice: world.alice.token, bob: world.bob.token };
    const checks = [checkRegistry, checkPrinters, checkRooms, createDiskCheck(), checkCodes, checkTokens, checkChat];
    let kills = 1;
    let startTime = 300;
    for (let round = 0; round < rounds; round += 1) {
      const own = random.fork(round);
      // Interrupts the recovery at any moment, sometimes repeatedly.
      while (own.chance(0.3)) {
        await killAtStart(world.folder, own.next() * (own.chance(0.5) ? 300 : startTime));
        kills += 1;
      }
      const life = await live(world.folder, tokens);
      startTime = life.startTime;
      await checkAll(world, life, checks, false, `after ${kills} kills, in round ${round}`);
      await workUntilKilled(world, life, own, round);
      kills += 1;
    }
    const life = await live(world.folder, tokens);
    await checkAll(world, life, checks, true, "at the end");
    await workUntilKilled(world, life, random.fork(rounds), 1);
    const last = await live(world.folder, tokens);
    await checkAll(world, last, [checkPrinters, checkRooms, drainPrinters, checkPrinters], true, "after the end");
    await readToTheEnd(world, last);
    await checkRooms(world, last, true);
    checkReaders(world);
    report(world, kills + 1);
    await last.kill();
    checkReaders(world);
    expect(world.problems, `seed ${seed}`).toEqual([]);
    expect(verifySqlite({ file: join(world.folder, "telex.db") })).toEqual([]);
  },
);
