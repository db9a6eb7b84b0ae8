import { expect, it } from "vitest";
import { createManualClock, ticks } from "@telex/conformance/testing";
import { createFairQueue } from "./fair-queue.ts";

const refused = { code: "rate_limited", retryAfter: 1 };

function start(waiting = 100, waitingOfKey = 10) {
  const clock = createManualClock();
  const queue = createFairQueue({ running: 3, runningOfKey: 2, waiting, waitingOfKey, wait: 5000 }, clock);
  const begun: string[] = [];
  const open = new Map<string, () => void>();
  /** A task such as `a1`, with the key `a`. It runs until `end`. */
  const task = (name: string, signal?: AbortSignal): Promise<string> =>
    queue.run(name.charAt(0), signal, async () => {
      begun.push(name);
      const { promise, resolve } = Promise.withResolvers<void>();
      open.set(name, resolve);
      await promise;
      return name;
    });
  const end = async (name: string): Promise<void> => {
    open.get(name)?.();
    await ticks(1);
  };
  return { clock, queue, begun, task, end };
}

it("runs two tasks of a key and three of all, and begins those of a key in order", async () => {
  const { begun, task, end } = start();
  const all = ["a1", "a2", "a3", "b1", "b2", "a4"].map((name) => task(name));
  await ticks(1);
  expect(begun).toEqual(["a1", "a2", "b1"]);
  await end("b1");
  expect(begun).toEqual(["a1", "a2", "b1", "b2"]);
  await end("a2");
  await end("a1");
  for (const name of ["b2", "a3", "a4"]) await end(name);
  expect(begun).toEqual(["a1", "a2", "b1", "b2", "a3", "a4"]);
  expect(await Promise.all(all)).toEqual(["a1", "a2", "a3", "b1", "b2", "a4"]);
});

it("lets the keys take turns, even if one of them has many tasks", async () => {
  const { begun, task, end } = start();
  for (let number = 1; number < 9; number += 1) void task(`a${number}`);
  for (const name of ["b1", "c1", "c2", "c3"]) void task(name);
  await ticks(1);
  expect(begun).toEqual(["a1", "a2", "b1"]);
  for (const name of ["a1", "a2", "b1", "c1"]) await end(name);
  expect(begun.slice(3)).toEqual(["a3", "c1", "a4", "c2"]);
});

it("refuses a task if too many of its key or in total are waiting, and accepts others", async () => {
  const { begun, task, end } = start(3, 2);
  for (const name of ["a1", "a2", "a3", "a4"]) void task(name);
  await expect(task("a5")).rejects.toMatchObject(refused);
  for (const name of ["b1", "b2"]) void task(name);
  await expect(task("c1")).rejects.toMatchObject(refused);
  await end("a1");
  void task("c2");
  await expect(task("c3")).rejects.toMatchObject(refused);
  for (const name of ["a2", "b1"]) await end(name);
  expect(begun).toEqual(["a1", "a2", "b1", "a3", "b2", "a4"]);
  await end("b2");
  expect(begun.at(-1)).toBe("c2");
});

it("refuses a task that has waited too long, and never runs it", async () => {
  const { clock, begun, task, end } = start();
  for (const name of ["a1", "a2"]) void task(name);
  const late = task("a3").catch((error: unknown) => error);
  await clock.advance(4999);
  const later = task("a4");
  await clock.advance(1);
  expect(await late).toMatchObject(refused);
  await end("a1");
  expect(begun).toEqual(["a1", "a2", "a4"]);
  await clock.advance(60_000);
  await end("a4");
  expect(await later).toBe("a4");
});

it("removes a task whose caller has gone, and accepts another instead", async () => {
  const { begun, task, end } = start(1, 1);
  for (const name of ["a1", "a2"]) void task(name);
  const gone = new AbortController();
  const left = task("a3", gone.signal).catch((error: unknown) => error);
  gone.abort();
  expect(await left).toMatchObject({ code: "rate_limited" });
  void task("a4");
  await expect(task("b1", gone.signal)).rejects.toMatchObject({ code: "rate_limited" });
  await end("a1");
  expect(begun).toEqual(["a1", "a2", "a4"]);
});

it("continues after a task that fails", async () => {
  const { queue, begun, task } = start();
  const fails = () => queue.run("a", undefined, () => Promise.reject(new Error("no")));
  const failures = Array.from({ length: 5 }, () => fails().catch(String));
  const last = task("a1");
  expect(await Promise.all(failures)).toEqual(Array(5).fill("Error: no"));
  await ticks(1);
  expect(begun).toEqual(["a1"]);
  void last;
});

it("looks at few of thousands of keys that wait, when a task is added and when one ends", async () => {
  let looks = 0;
  const runningOfKey = { get: () => ((looks += 1), 1) };
  const limits = { running: 3, waiting: 5000, waitingOfKey: 1, wait: 5000, runningOfKey: 1 };
  const queue = createFairQueue(Object.defineProperty(limits, "runningOfKey", runningOfKey), createManualClock());
  let ended = 0;
  const add = (key: number): Promise<number> => queue.run(String(key), undefined, async () => (ended += 1));
  await Promise.all(Array.from({ length: 2000 }, (_, key) => add(key)));
  expect(ended).toBe(2000);
  expect(looks).toBeLessThan(20_000);
});
