import { setImmediate as settled } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createFairQueue, type JobKind } from "./fair-queue.ts";

function recorded(capacity: number, places: number) {
  const queue = createFairQueue(capacity, places);
  const order: JobKind[] = [];
  const leaves: (() => void)[] = [];
  const enter = async (kind: JobKind): Promise<void> => {
    const leave = await queue.enter(kind);
    order.push(kind);
    leaves.push(leave);
  };
  const next = async (): Promise<void> => {
    leaves.shift()?.();
    await settled();
  };
  return { queue, order, enter, next };
}

describe("a queue of image jobs", () => {
  it("lets kinds take turns, however many jobs of one kind came first", async () => {
    const { order, enter, next } = recorded(1, 64);
    const all = Array.from({ length: 60 }, () => enter("text"));
    all.push(enter("avatar"), enter("preview"), enter("avatar"));
    await settled();
    for (let job = 0; job < 6; job += 1) await next();
    expect(order).toEqual(["text", "text", "avatar", "preview", "text", "avatar", "text"]);
    for (let job = 0; job < 60; job += 1) await next();
    await Promise.all(all);
    expect(order).toHaveLength(63);
  });

  it("refuses a kind that fills its places, and takes another one", async () => {
    const { queue, enter, next, order } = recorded(1, 2);
    const waiting = [enter("text"), enter("text"), enter("text")];
    await expect(queue.enter("text")).rejects.toMatchObject({ code: "busy", retryAfter: 1 });
    waiting.push(enter("avatar"));
    for (let job = 0; job < 4; job += 1) await next();
    await Promise.all(waiting);
    expect(order).toEqual(["text", "text", "avatar", "text"]);
  });

  it("runs as many as it has room for, and jobs of one kind in their order", async () => {
    const queue = createFairQueue(2, 10);
    const order: number[] = [];
    const jobs = [1, 2, 3, 4].map(async (job) => {
      const leave = await queue.enter("text");
      order.push(job);
      return leave;
    });
    await settled();
    expect(order).toEqual([1, 2]);
    (await jobs[0])?.();
    (await jobs[1])?.();
    await Promise.all(jobs);
    expect(order).toEqual([1, 2, 3, 4]);
  });

  it("refuses who waits and who comes when it is closed", async () => {
    const queue = createFairQueue(1, 2);
    await queue.enter("text");
    const waiting = [queue.enter("text"), queue.enter("avatar")];
    queue.close();
    for (const one of waiting) await expect(one).rejects.toMatchObject({ code: "shutting_down" });
    await expect(queue.enter("preview")).rejects.toMatchObject({ code: "shutting_down" });
  });
});
