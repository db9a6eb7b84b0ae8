import { createMemoryBlobs } from "@telex/blobs/memory";
import { createMemoryStorage } from "@telex/storage-memory";
import { describe, expect, it, onTestFinished } from "vitest";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createLogCollector, createManualClock, createRandom, createScene, until } from "./index.ts";

describe("a manual clock", () => {
  it("stands still, and runs what falls due in order when it is moved", async () => {
    const clock = createManualClock(1000);
    const ran: string[] = [];
    clock.after(20, () => ran.push("second"));
    clock.after(10, () => ran.push("first"));
    clock.after(21, () => ran.push("too late"));
    clock.after(5, () => ran.push("called off"))();
    expect(clock.waiting()).toEqual([10, 20, 21]);
    const moved = clock.advance(20);
    expect(ran).toEqual(["first", "second"]);
    await moved;
    expect([clock.now(), clock.waiting()]).toEqual([1020, [1]]);
  });

  it("runs what is planned meanwhile and due already, also after a promise", async () => {
    const clock = createManualClock();
    let isOver = false;
    clock.after(10, () => {
      void Promise.resolve().then(() => clock.after(0, () => (isOver = true)));
    });
    await clock.advance(10);
    expect(isOver).toBe(true);
  });
});

it("a log collector keeps one line for each event, those of security apart", () => {
  const log = createLogCollector();
  log.info("server.started");
  log.error("disk.failed", { seconds: 3 }, new Error("out of paper"));
  log.warn("token.refused", { address: null });
  expect(log.lines).toEqual([
    "info server.started {}",
    expect.stringMatching(/^error disk\.failed \{"seconds":3\} Error: out of paper/),
  ]);
  expect(log.security).toEqual(['warn token.refused {"address":null}']);
});

it("a scene has people with tokens, rooms, and a log", async () => {
  const scene = await createScene({
    storage: createMemoryStorage(),
    blobs: createMemoryBlobs(),
    images: createSharpEngine(),
    clock: createManualClock(),
  });
  onTestFinished(() => scene.telex.close());
  const alice = await scene.person("Alice", { ext: "10001" });
  const bob = await scene.person("Bob");
  expect(await scene.telex.authenticate(await scene.issue(alice, ["profile"]))).toMatchObject({
    userId: alice.id,
    scopes: ["profile"],
  });
  const groupId = await scene.room([alice, bob]);
  await scene.telex.messages.send(await scene.caller(bob), { groupId, groupType: 1, message: "hello" });
  const { groupMessages } = await scene.telex.messages.history(await scene.caller(alice), { groupId, groupType: 1 });
  expect(groupMessages).toMatchObject([{ groupName: "Room", nickname: "Bob" }]);
  await scene.telex.authenticate("tlxp_0");
  await until(() => scene.log.security.some((line) => line.includes("token.refused")));
});

describe("random numbers", () => {
  const numbers = (seed: number): number[] => {
    const random = createRandom(seed);
    return Array.from({ length: 50 }, () => random.next());
  };

  it("are the same for the same seed, and others for another one", () => {
    expect(numbers(1)).toEqual(numbers(1));
    expect(numbers(1)).not.toEqual(numbers(2));
  });

  it("stay in their bounds", () => {
    const random = createRandom(7);
    for (const number of numbers(7)) expect(Math.floor(number)).toBe(0);
    expect(new Set(Array.from({ length: 200 }, () => random.below(3)))).toEqual(new Set([0, 1, 2]));
    expect([random.chance(0), random.chance(1)]).toEqual([false, true]);
  });

  it("of a fork do not depend on how many the source has given", () => {
    const [fresh, used] = [createRandom(3), createRandom(3)];
    used.next();
    expect(used.fork(1).next()).toBe(fresh.fork(1).next());
    expect(fresh.fork(1).next()).not.toBe(fresh.fork(2).next());
  });
});
