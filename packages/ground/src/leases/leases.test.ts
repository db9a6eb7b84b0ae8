import { createMemoryStorage } from "@telex/storage-memory";
import { expect, it } from "vitest";
import { createLogCollector, createManualClock, ticks } from "@telex/conformance/testing";
import { TelexError } from "../errors/index.ts";
import type { LeaseStore } from "./store.ts";
import { createLeases } from "./leases.ts";

/** Two servers with one store. The test can disconnect the first one from it. */
function createServers() {
  const clock = createManualClock();
  const { leases: store } = createMemoryStorage({ clock });
  const log = createLogCollector();
  const away = { isAway: false, hang: null as Promise<never> | null, losesAnswers: false };
  const guard = async <T>(run: () => Promise<T>): Promise<T> => {
    if (away.hang !== null) await away.hang;
    if (away.isAway) throw new TelexError("storage_unavailable");
    const result = await run();
    if (away.losesAnswers) throw new TelexError("storage_unavailable");
    return result;
  };
  const cut: LeaseStore = {
    takeLease: (lease) => guard(() => store.takeLease(lease)),
    touchLease: (lease) => guard(() => store.touchLease(lease)),
    releaseLease: (lease) => guard(() => store.releaseLease(lease)),
    claim: (claim) => guard(() => store.claim(claim)),
    listLeases: (prefix) => guard(() => store.listLeases(prefix)),
  };
  /** Lets time pass second by second, so that the store responds before the next timer. */
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) await clock.advance(1000);
  };
  const happened: string[] = [];
  const serverOf = (server: string, its: LeaseStore) => {
    const leases = createLeases({ store: its, clock, limits: { leaseLife: 30_000 }, log, server });
    const hooks = {
      held: () => void happened.push(`${server} has it`),
      lost: () => void happened.push(`${server} lost it`),
    };
    return { leases, lease: leases.open("work", hooks) };
  };
  return { clock, pass, store, away, happened, log, first: serverOf("first", cut), second: serverOf("second", store) };
}

it("one of two servers has a lease while it renews it", async () => {
  const { pass, store, happened, first, second } = createServers();
  first.lease.keep();
  await ticks();
  second.lease.keep();
  await pass(90);
  expect([first.lease.isHeld, second.lease.isHeld, happened]).toEqual([true, false, ["first has it"]]);
  expect(await store.listLeases("")).toMatchObject([{ name: "work", fence: 1, holder: first.leases.holder }]);
});

it("a lease that is released is taken by another server that wants it, when it hears of that", async () => {
  const { happened, first, second } = createServers();
  first.lease.keep();
  await ticks();
  second.lease.keep();
  await first.lease.release();
  expect(second.lease.isHeld).toBe(false);
  second.leases.changed("work");
  await ticks();
  expect([second.lease.isHeld, happened]).toEqual([true, ["first has it", "second has it"]]);
});

it("a server that cannot renew ends its work before another one begins", async () => {
  const { pass, away, happened, first, second } = createServers();
  first.lease.keep();
  await ticks();
  second.lease.keep();
  away.isAway = true;
  await pass(19);
  expect(first.lease.isHeld).toBe(true);
  await pass(1);
  expect([first.lease.isHeld, happened]).toEqual([false, ["first has it", "first lost it"]]);
  await pass(20);
  expect([second.lease.isHeld, happened.at(-1)]).toEqual([true, "second has it"]);
  away.isAway = false;
  await pass(60);
  expect([first.lease.isHeld, second.lease.isHeld]).toEqual([false, true]);
});

it("a server whose take was stored without an answer has the lease when it tries again", async () => {
  const { store, away, first, second } = createServers();
  away.losesAnswers = true;
  await expect(first.lease.take()).rejects.toMatchObject({ code: "storage_unavailable" });
  await expect(first.lease.take()).rejects.toMatchObject({ code: "storage_unavailable" });
  away.losesAnswers = false;
  expect([await second.lease.take(), await first.lease.take(), first.lease.isHeld]).toEqual([false, true, true]);
  expect(await store.listLeases("")).toMatchObject([{ holder: first.leases.holder }]);
});

it("a server whose take was not stored does not take the lease of another one", async () => {
  const { away, first, second } = createServers();
  away.isAway = true;
  await expect(first.lease.take()).rejects.toMatchObject({ code: "storage_unavailable" });
  away.isAway = false;
  expect([await second.lease.take(), await first.lease.take(), second.lease.isHeld]).toEqual([true, false, true]);
});

it("the same is true if its store never answers", async () => {
  const { clock, away, happened, first } = createServers();
  first.lease.keep();
  await ticks();
  away.hang = new Promise<never>(() => {});
  await clock.advance(20_000);
  expect([first.lease.isHeld, happened]).toEqual([false, ["first has it", "first lost it"]]);
});

it("a short outage of the store has no effect", async () => {
  const { pass, away, happened, first } = createServers();
  first.lease.keep();
  await ticks();
  away.isAway = true;
  await pass(15);
  away.isAway = false;
  await pass(60);
  expect([first.lease.isHeld, happened]).toEqual([true, ["first has it"]]);
});

it("a note is stored soon, and frequent notes do not stop renewals", async () => {
  const { clock, store, first } = createServers();
  await first.lease.take();
  for (let step = 0; step < 250; step += 1) {
    first.lease.say(`step ${step}`);
    await clock.advance(100);
  }
  await clock.advance(500);
  expect(await store.listLeases("")).toMatchObject([{ note: "step 249", fence: 1 }]);
  expect(first.lease.isHeld).toBe(true);
  await first.lease.release();
  expect(await store.listLeases("")).toMatchObject([{ note: "step 249", until: 0 }]);
});

it("a lease that is released while it is being taken is free, and its work does not begin", async () => {
  const { store, happened, first, second } = createServers();
  const taken = first.lease.take();
  await first.lease.release();
  expect([await taken, first.lease.isHeld, happened]).toEqual([false, false, []]);
  expect(await second.lease.take()).toBe(true);
  await Promise.all([first.leases.close(), second.leases.close()]);
  expect(await store.listLeases("")).toMatchObject([{ until: 0, fence: 2 }]);
});

it("a lease is taken again only after the release that came before", async () => {
  const { first } = createServers();
  await first.lease.take();
  void first.lease.release();
  const again = first.leases.open("work", { lost() {} });
  expect(await again.take()).toBe(true);
});

it("a note is also stored if the server has had the lease before", async () => {
  const { clock, store, first } = createServers();
  await first.lease.take();
  first.lease.say("one");
  await first.lease.release();
  const again = first.lease.take();
  first.lease.say("two");
  await again;
  await clock.advance(500);
  expect(await store.listLeases("")).toMatchObject([{ note: "two", fence: 2 }]);
  first.lease.say("three");
  await clock.advance(500);
  expect(await store.listLeases("")).toMatchObject([{ note: "three" }]);
});

it("a name is claimed by one of two servers, until its time is over", async () => {
  const { clock, first, second } = createServers();
  const claimAt = ({ leases }: typeof first) => leases.claim("once", 1000);
  expect([await claimAt(first), await claimAt(second), await claimAt(first)]).toEqual([true, false, false]);
  await clock.advance(999);
  expect(await claimAt(second)).toBe(false);
  await clock.advance(1);
  expect(await claimAt(second)).toBe(true);
});

it("invalid names and times are refused before the store is asked", async () => {
  const { store, first, away } = createServers();
  const { leases } = first;
  const longest = "名".repeat(128);
  expect([await leases.claim(longest, 31_536_000_000), await leases.claim("a", 1)]).toEqual([true, true]);
  expect(await leases.open(longest, { lost() {} }).take()).toBe(true);
  away.isAway = true;
  for (const name of ["", `${longest}x`]) {
    await expect(leases.claim(name, 1000)).rejects.toThrow(TypeError);
    expect(() => leases.open(name, { lost() {} })).toThrow(TypeError);
  }
  for (const life of [0, -1, 0.5, Number.NaN, Infinity, 31_536_000_001]) {
    await expect(leases.claim("b", life)).rejects.toThrow("A claim must last");
  }
  expect(await store.listLeases("")).toMatchObject([{ name: longest }]);
});
