import { createMemoryBlobs } from "@telex/blobs/memory";
import { createMemoryStorage } from "@telex/storage-memory";
import { fc } from "test-support/property";
import { describe, expect, it } from "vitest";
import { intercept, withLosses } from "@telex/conformance";
import {
  type Bus,
  type Caller,
  createLocalBus,
  createTelex,
  operator,
  type Storage,
  type Telex,
} from "../src/index.ts";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createManualClock, type ManualClock, ticks } from "@telex/conformance/testing";
import { createConnection } from "./kit.ts";

const engine = createSharpEngine();
const servers = 3;

/** A server that can be killed: from then on it reaches neither the store nor the bus. */
interface Server {
  readonly telex: Telex;
  readonly caller: Caller;
  kill(): void;
}

interface World {
  readonly clock: ManualClock;
  readonly storage: Storage;
  readonly bus: Bus;
  readonly token: string;
  readonly rooms: readonly number[];
}

const never = new Promise<never>(() => {});

/** How wrong the clock of each server is, in milliseconds: 5 s apart, the most that is allowed. */
const skews = [-2500, 0, 2500] as const;

async function startServer({ clock, storage, bus, token }: World, seed: number, skew: number): Promise<Server> {
  let isAlive = true;
  const own = intercept(storage, ({ run }) => (isAlive ? run() : never));
  const lossy = withLosses(bus, seed);
  const gated: Bus = {
    async join(receive) {
      const member = await lossy.join((event) => isAlive && receive(event));
      return { ...member, publish: (event) => void (isAlive && member.publish(event)) };
    },
  };
  const telex = await createTelex({
    // An event that the bus loses arrives up to 10 s after later ones. One run has fewer ids than this.
    storage: { ...own, idOverlap: 1000, close: () => Promise.resolve() },
    blobs: createMemoryBlobs({ clock }),
    images: engine,
    clock: { now: () => clock.now() + skew, after: (delay, run) => clock.after(delay, run) },
    bus: gated,
  });
  return { telex, caller: await telex.authenticate(token), kill: () => void (isAlive = false) };
}

async function createWorld(): Promise<World> {
  const clock = createManualClock();
  const storage = { ...createMemoryStorage({ clock }), close: () => Promise.resolve() };
  const telex = await createTelex({ storage, blobs: createMemoryBlobs({ clock }), images: engine, clock });
  const { id } = await telex.operator.users.add(operator, { nickname: "Alice" });
  const { token } = await telex.operator.tokens.issue(operator, { userId: id, scopes: ["chat"] });
  const rooms: number[] = [];
  for (const name of ["one", "two"]) {
    const { groupId } = await telex.operator.groups.add(operator, { groupType: 1, name, members: [id] });
    rooms.push(groupId);
  }
  await telex.teleprinter.register(await telex.authenticate(token), { deviceId: "printer", name: "Printer" });
  await telex.close();
  return { clock, storage, bus: createLocalBus(), token, rooms };
}

/** A client that listens through any server, and comes again with the newest id that it knows. */
function createListener() {
  const known = new Map<number, Set<number>>();
  let newest = 0;
  let current: { readonly stop: () => void; readonly read: () => void } | null = null;
  const read = (events: ReturnType<typeof createConnection>["events"]): void => {
    const last = new Map<number, number>();
    for (const event of events) {
      if (event.kind !== "message") continue;
      const { groupId, messageId } = event.data;
      expect(messageId).toBeGreaterThan(last.get(groupId) ?? 0);
      last.set(groupId, messageId);
      known.set(groupId, (known.get(groupId) ?? new Set()).add(messageId));
      newest = Math.max(newest, messageId);
    }
  };
  const leave = (): void => {
    current?.read();
    current?.stop();
    current = null;
  };
  return {
    known,
    leave,
    async connect({ telex, caller }: Server): Promise<void> {
      leave();
      const { connection, events } = createConnection(caller);
      const listening = telex.listen(connection, { echo: true, since: newest });
      current = { stop: () => listening.stop(), read: () => read(events) };
      await ticks();
    },
  };
}

/** The device, which takes what is pushed to it until its server is killed, and polls. */
function createDevice() {
  const received = new Set<number>();
  return {
    received,
    async connect({ telex, caller }: Server): Promise<void> {
      const { connection } = createConnection(caller);
      await telex.connectDevice(
        {
          ...connection,
          push(batch) {
            for (const event of batch) if (event.kind === "device_message") received.add(event.data.id);
            return Promise.resolve(true);
          },
          ping: () => Promise.resolve(false),
        },
        { deviceId: "printer", ack: false },
      );
    },
    async poll({ telex, caller }: Server): Promise<void> {
      const messages = await telex.teleprinter.poll(caller, { deviceId: "printer", limit: 10, wait: 0 });
      for (const { id } of messages) received.add(id);
    },
  };
}

/** Three servers, two clients that listen, and a device. */
async function createInstallation() {
  const world = await createWorld();
  let seed = 0;
  const start = (index: number): Promise<Server> => startServer(world, (seed += 1), skews[index % servers] ?? 0);
  const running = [await start(0), await start(1), await start(2)];
  const listeners = [createListener(), createListener()] as const;
  const said = new Map<number, Set<number>>(world.rooms.map((room) => [room, new Set()]));
  const sent = new Set<number>();
  const device = createDevice();
  const at = (index: number): Server => running[index % running.length] ?? expect.unreachable();
  return {
    world,
    listeners,
    said,
    sent,
    device,
    at,
    async say(index: number, room: number): Promise<void> {
      const groupId = world.rooms[room] ?? 0;
      const { telex, caller } = at(index);
      const { messageId } = await telex.messages.send(caller, { groupId, groupType: 1, message: "hello" });
      said.get(groupId)?.add(messageId);
    },
    async send(index: number): Promise<void> {
      const { telex, caller } = at(index);
      sent.add((await telex.teleprinter.send(caller, { deviceId: "printer", content: "print this" })).id);
    },
    async kill(index: number): Promise<void> {
      at(index).kill();
      running[index] = await start(index);
      // Connections end with their server; those of others come again as well.
      for (const listener of listeners) await listener.connect(at(index + 1));
    },
    close: () => Promise.all(running.map(({ telex }) => telex.close())),
  };
}

type Installation = Awaited<ReturnType<typeof createInstallation>>;

const server = fc.nat(servers - 1);
const steps = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constant("say" as const), server, fc.nat(1)) },
  { weight: 3, arbitrary: fc.tuple(fc.constant("listen" as const), server, fc.nat(1)) },
  { weight: 3, arbitrary: fc.tuple(fc.constant("send" as const), server) },
  { weight: 2, arbitrary: fc.tuple(fc.constant("poll" as const), server) },
  { weight: 1, arbitrary: fc.tuple(fc.constant("connect" as const), server) },
  { weight: 2, arbitrary: fc.tuple(fc.constant("kill" as const), server) },
  { weight: 4, arbitrary: fc.tuple(fc.constant("wait" as const), fc.integer({ min: 10, max: 8000 })) },
);

type Step = typeof steps extends fc.Arbitrary<infer T> ? T : never;

/** Lets time pass while a call waits for it: for a connection that takes nothing, or for a server that was killed. */
async function passing({ world }: Installation, call: Promise<void>): Promise<void> {
  const state = { isDone: false };
  const done = call.finally(() => (state.isDone = true));
  for (await ticks(50); !state.isDone; await ticks(50)) await world.clock.advance(1000);
  await done;
}

async function take(installation: Installation, step: Step): Promise<void> {
  const { world, listeners, device, at } = installation;
  switch (step[0]) {
    case "say":
      return await installation.say(step[1], step[2]);
    case "listen":
      return await listeners[step[2] === 0 ? 0 : 1].connect(at(step[1]));
    case "send":
      return await passing(installation, installation.send(step[1]));
    case "poll":
      return await passing(installation, device.poll(at(step[1])));
    case "connect":
      return await passing(installation, device.connect(at(step[1])));
    case "kill":
      return await installation.kill(step[1]);
    case "wait":
      return await world.clock.advance(step[1]);
  }
}

/** Checks that every acknowledged message is there after the leases of killed servers have ended. */
async function check({ world, listeners, device, said, sent, at }: Installation): Promise<void> {
  for (const listener of listeners) await listener.connect(at(0));
  for (let second = 0; second < 45; second += 5) await world.clock.advance(5000);
  await device.connect(at(1));
  await world.clock.advance(1000);
  for (const listener of listeners) {
    listener.leave();
    for (const [room, ids] of said) expect(listener.known.get(room) ?? new Set()).toEqual(ids);
  }
  expect([...sent].filter((id) => !device.received.has(id))).toEqual([]);
}

const runs = Number(process.env["TELEX_MODEL_RUNS"] ?? 6);

describe("three servers whose clocks are 5 s apart, over a bus that loses, doubles and delays, of which some are killed", () => {
  it("keep what they answered, in order, once on each connection", async () => {
    const keeps = fc.asyncProperty(fc.array(steps, { minLength: 10, maxLength: 40 }), async (taken) => {
      const installation = await createInstallation();
      for (const step of taken) await take(installation, step);
      await check(installation);
      await installation.close();
    });
    await expect(fc.assert(keeps, { numRuns: runs })).resolves.toBeUndefined();
  });
});
