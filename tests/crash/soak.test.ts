import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { createRandom, type Random } from "@telex/conformance/testing";
import { folder } from "test-support/command";
import { driveChat } from "./drivers/chat.ts";
import { driveFiles } from "./drivers/files.ts";
import { driveReceivers } from "./drivers/receivers.ts";
import { driveRegistry } from "./drivers/registry.ts";
import { driveRooms } from "./drivers/rooms.ts";
import { driveSenders } from "./drivers/senders.ts";
import { type Life, live } from "./support/life.ts";
import { createWorld } from "./support/new-world.ts";
import { paths } from "./support/paths.ts";
import { openSocket } from "./support/socket.ts";
import type { Driver, World } from "./world.ts";

/** In a small heap, garbage is collected immediately, so the remaining memory is in use. */
const smallHeap = ["--max-old-space-size=96", "--max-semi-space-size=2"];

const seconds = Number(process.env["TELEX_CRASH_SOAK"] ?? 60);

/** The resources of a process. */
interface Sample {
  /** MiB of private memory. */
  readonly memory: number;
  /** Descriptors of files, pipes and events. */
  readonly files: number;
  /** Descriptors of connections. */
  readonly sockets: number;
}

/** The target of a descriptor; empty if it was closed just now. */
function targetOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

function sample(pid: number): Sample {
  const [, kib = "0"] = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  const targets = readdirSync(`/proc/${pid}/fd`).map((fd) => targetOf(`/proc/${pid}/fd/${fd}`));
  const sockets = targets.filter((target) => target.startsWith("socket:")).length;
  return { memory: Number(kib) / 1024, files: targets.length - sockets, sockets };
}

/** Clients that disconnect in the middle of a poll, an upload or a handshake. */
async function driveQuitters(world: World, life: Life, random: Random): Promise<void> {
  const { token } = world.alice;
  const headers = { authorization: `Bearer ${token}` };
  while (!life.dying) {
    const signal = AbortSignal.timeout(1 + Math.floor(random.next() * 30));
    const body = new FormData();
    body.set("file", new Blob([new Uint8Array(3_000_000)]), "a");
    const quitted = Promise.allSettled([
      fetch(`${life.url}${paths.poll}?deviceId=printer-poll&wait=30`, { headers, signal }),
      fetch(`${life.url}${paths.upload}`, { method: "POST", headers, body, signal }),
    ]);
    const socket = await openSocket({ url: life.url, token, channel: "rooms", query: { since: "1" } });
    socket?.close();
    await quitted;
    await delay(50);
  }
}

const drivers: readonly Driver[] = [
  driveRegistry,
  driveSenders,
  driveReceivers,
  driveRooms,
  driveFiles,
  driveChat,
  driveQuitters,
];

const least = (values: readonly number[]): number => Math.min(...values);

const onLinux = process.platform === "linux" ? [seconds] : [];

it.each(onLinux)(
  "memory and descriptors are flat over %i seconds of everything",
  { timeout: (seconds + 60) * 1000 },
  async (duration) => {
    const world = await createWorld(await folder());
    const life = await live(world.folder, { alice: world.alice.token, bob: world.bob.token }, smallHeap);
    const random = createRandom(4);
    const { files: idle } = sample(life.pid);
    const working = Promise.all(drivers.map((drive, index) => drive(world, life, random.fork(index))));
    const samples: Sample[] = [];
    for (let second = 0; second < duration; second += 1) {
      await delay(1000);
      samples.push(sample(life.pid));
    }
    life.dying = true;
    // An upload in progress has a file open. Once all have ended, only leaked files are open: hundreds of uploads were aborted.
    await expect.poll(() => sample(life.pid).files).toBeLessThanOrEqual(idle + 6);
    await life.kill();
    await working;
    // The first third warms up: V8 compiles, and caches fill.
    const third = Math.floor(samples.length / 3);
    const [before, after] = [samples.slice(third, 2 * third), samples.slice(2 * third)];
    const leastOf = (name: keyof Sample) => [before, after].map((some) => least(some.map((one) => one[name])));
    const [memories, sockets] = [leastOf("memory"), leastOf("sockets")];
    process.stdout.write(`soak test: MiB ${memories.map(Math.round).join(" -> ")}, sockets ${sockets.join(" -> ")}\n`);
    const [memory = 0, memoryAfter = 0] = memories;
    const [connected = 0, connectedAfter = 0] = sockets;
    expect(memoryAfter).toBeLessThan(memory * 1.2 + 8);
    // A slow response keeps its connection open, so a busy machine has more of them. A leak would be hundreds.
    expect(connectedAfter).toBeLessThan(connected * 1.2 + 8);
  },
);
