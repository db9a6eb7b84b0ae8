import { createMemoryBlobs } from "@telex/blobs/memory";
import { createMemoryStorage } from "@telex/storage-memory";
import { expect, it } from "vitest";
import { createTelex, type Gateway, type GatewayLease, operator } from "../src/index.ts";
import { createSharpEngine } from "@telex/image-text/sharp";
import {
  createLogCollector,
  createManualClock,
  createMemoryNetwork,
  type ManualClock,
  ticks,
} from "@telex/conformance/testing";

const engine = createSharpEngine();

const report = {
  isConnected: true,
  isOnline: true,
  ext: "9000",
  version: "11",
  implementation: "Bot 1",
  problem: null,
};

/** Lets time pass step by step, as it does: what a store answers comes before the next timer. */
async function pass(clock: ManualClock, seconds: number): Promise<void> {
  for (let step = 0; step < 20 * seconds; step += 1) await clock.advance(50);
}

/** Servers of one installation, each with a gateway that keeps the lease of `bot-1`. */
async function createServers(names: readonly string[]) {
  const clock = createManualClock();
  const storage = { ...createMemoryStorage({ clock }), close: () => Promise.resolve() };
  const start = async (serverName: string) => {
    const blobs = createMemoryBlobs({ clock });
    const log = createLogCollector();
    const { gateway } = createMemoryNetwork({ account: { account: "bot-1" } });
    const kept = { lease: null as GatewayLease | null, connected: false };
    const own: Gateway = {
      ...gateway,
      findAccount: (name) => (name === "bot-1" ? { ...account(), isConnected: kept.connected } : null),
      listAccounts: () => [{ ...account(), isConnected: kept.connected }],
      async start(inbox, leases) {
        const connect = (is: boolean) => {
          kept.connected = is;
          kept.lease?.report({ ...report, isConnected: is, isOnline: is });
        };
        kept.lease = leases.open("bot-1", { held: () => connect(true), lost: () => connect(false) });
        kept.lease.keep();
        await gateway.start(inbox, leases);
      },
      check: async (name) => [{ name: "connection", ok: kept.connected, detail: `${name} by ${serverName}` }],
    };
    const telex = await createTelex({ storage, blobs, images: engine, clock, gateways: [own], serverName, log });
    await ticks();
    return { telex, kept, log };
  };
  const account = () => ({
    account: "bot-1",
    network: "qq",
    groupTypes: [4, 5] as const,
    isConnected: true,
    isOnline: true,
  });
  const servers = [];
  for (const name of names) servers.push(await start(name));
  return { clock, storage, servers };
}

it("of two servers one has an account, both say which, and the other one takes over at the end", async () => {
  const { clock, servers } = await createServers(["first", "second"]);
  const [first, second] = servers;
  await clock.advance(1000);
  expect(servers.map(({ kept }) => kept.connected)).toEqual([true, false]);
  for (const server of servers) {
    expect(await server.telex.operator.bots.list(operator, {})).toMatchObject([
      { account: "bot-1", server: "first", connected: true, online: true, ext: "9000", version: "11", problem: null },
    ]);
  }
  await first?.telex.close();
  await clock.advance(1000);
  expect(second?.kept.connected).toBe(true);
  expect(await second?.telex.operator.bots.list(operator, {})).toMatchObject([{ server: "second", online: true }]);
});

it("an account whose server was killed is offline when its lease ends, and says why", async () => {
  const { clock, storage, servers } = await createServers([]);
  expect(servers).toEqual([]);
  const now = clock.now();
  const note = JSON.stringify({ ...report, since: now });
  const lease = { name: "bot/bot-2", holder: "gone/x", now, until: now + 30_000, note };
  await storage.leases.takeLease(lease);
  await storage.bots.appendBot({
    account: "bot-2",
    name: null,
    gateway: "onebot",
    network: "qq",
    official: false,
    digest: null,
    secret: null,
    connect: null,
    protocol: 0,
    minInterval: 0,
    createdAt: now,
  });
  const telex = await createTelex({ storage, blobs: createMemoryBlobs(), images: engine, clock });
  expect(await telex.operator.bots.list(operator, {})).toMatchObject([{ online: true, server: "gone" }]);
  await clock.advance(30_000);
  expect(await telex.operator.bots.list(operator, {})).toMatchObject([
    { online: false, connected: false, server: null, problem: { code: "no_server" } },
  ]);
});

it("the server that has an account tries it, whichever is asked", async () => {
  const { clock, servers } = await createServers(["first", "second"]);
  for (const { telex } of servers) {
    const tested = telex.operator.bots.test(operator, { account: "bot-1" });
    await pass(clock, 1);
    expect(await tested).toEqual({
      account: "bot-1",
      ok: true,
      server: "first",
      checks: [{ name: "connection", ok: true, detail: "bot-1 by first" }],
    });
  }
});

it("an account that no server serves is tried by none, and one at a time asks", async () => {
  const { clock, storage } = await createServers([]);
  const telex = await createTelex({ storage, blobs: createMemoryBlobs(), images: engine, clock });
  await expect(telex.operator.bots.test(operator, { account: "x" })).rejects.toMatchObject({ code: "not_found" });
  await telex.operator.bots.add(operator, { account: "bot-1" });
  const tested = telex.operator.bots.test(operator, { account: "bot-1" });
  await ticks();
  await expect(telex.operator.bots.test(operator, { account: "bot-1" })).rejects.toMatchObject({ code: "busy" });
  await pass(clock, 21);
  expect(await tested).toMatchObject({ ok: false, server: null, checks: [{ name: "server", ok: false }] });
});

it("of two servers one sweeps in each interval", async () => {
  const clock = createManualClock();
  const storage = { ...createMemoryStorage({ clock }), close: () => Promise.resolve() };
  const blobs = createMemoryBlobs({ clock });
  const log = createLogCollector();
  for (const serverName of ["first", "second"])
    await createTelex({ storage, blobs, images: engine, clock, serverName, log, limits: { sweepInterval: 10_000 } });
  for (let interval = 1; interval <= 3; interval += 1) {
    await pass(clock, 10);
    expect(log.security.filter((line) => line.includes("files.swept"))).toHaveLength(interval);
  }
});
