import { describe, expect, it } from "vitest";
import { createCommandQueue } from "./queue.ts";

function held(limit: number) {
  const started: number[] = [];
  const done: (() => void)[] = [];
  const flow: string[] = [];
  const queue = createCommandQueue<number>({
    limit,
    run: (item) =>
      new Promise((resolve) => {
        started.push(item);
        done.push(resolve);
      }),
    pause: () => void flow.push("pause"),
    resume: () => void flow.push("resume"),
  });
  const next = async (): Promise<void> => {
    done.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { queue, started, flow, next };
}

describe("a command queue", () => {
  it("begins at once, and begins the next when the one before is done", async () => {
    const { queue, started, next } = held(64);
    for (const item of [1, 2, 3]) queue.push(item);
    expect(started).toEqual([1]);
    await next();
    expect(started).toEqual([1, 2]);
    await next();
    await next();
    queue.push(4);
    expect(started).toEqual([1, 2, 3, 4]);
  });

  it("pauses its source when the limit waits beside the one that runs, and resumes it when one less does", async () => {
    const { queue, flow, next } = held(2);
    queue.push(0);
    queue.push(1);
    expect([queue.isFull(), flow]).toEqual([false, []]);
    queue.push(2);
    queue.push(3);
    expect([queue.isFull(), flow]).toEqual([true, ["pause"]]);
    await next();
    expect([queue.isFull(), flow]).toEqual([true, ["pause"]]);
    await next();
    expect([queue.isFull(), flow]).toEqual([false, ["pause", "resume"]]);
  });

  it("forgets what waits and resumes its source when it is cleared", async () => {
    const { queue, started, flow, next } = held(2);
    for (const item of [1, 2, 3]) queue.push(item);
    queue.clear();
    await next();
    expect(started).toEqual([1]);
    expect(flow).toEqual(["pause", "resume"]);
  });

  it("is idle when nothing runs or waits", async () => {
    const { queue, next } = held(64);
    await queue.idle();
    queue.push(1);
    let idle = false;
    const waiting = (async () => {
      await queue.idle();
      idle = true;
    })();
    await new Promise((resolve) => setImmediate(resolve));
    expect(idle).toBe(false);
    await next();
    await waiting;
  });
});
