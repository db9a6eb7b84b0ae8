import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { Worker } from "node:worker_threads";
import { afterEach, describe, expect, it } from "vitest";
import { TelexError } from "../errors/errors.ts";
import { createWorkerPool, type WorkerPool } from "./worker-pool.ts";

const entry = new URL("../../test/odd-worker.ts", import.meta.url);
const pools: WorkerPool[] = [];
const failure = (kind: "late" | "broken", cause: Error): TelexError =>
  new TelexError(kind === "late" ? "unreadable_image" : "internal", { cause });
const pool = (size: number, options: Partial<Parameters<typeof createWorkerPool>[1]> = {}): WorkerPool => {
  const made = createWorkerPool(entry, { size, time: 60_000, failure, ...options });
  pools.push(made);
  return made;
};
afterEach(async () => {
  await Promise.all(pools.splice(0).map(async (made) => await made.close()));
});

describe("a pool of workers", () => {
  it("reuses a thread", async () => {
    const workers = pool(2);
    expect(await workers.run("a")).toMatch(/^a from /);
    const [first, second] = [await workers.run("b"), await workers.run("b")];
    expect(first).toBe(second);
  });

  it("has no more threads than its limit, and answers every request", async () => {
    const workers = pool(2);
    const answers = await Promise.all(Array.from({ length: 12 }, async () => await workers.run("x")));
    expect(new Set(answers).size).toBe(2);
  });

  it.each([
    ["throws", "throw"],
    ["exits", "exit"],
  ])("fails what a thread was doing that %s, and goes on with a new thread", async (_, request) => {
    const workers = pool(1);
    const before = await workers.run("x");
    await expect(workers.run(request)).rejects.toMatchObject({ code: "internal" });
    const after = await workers.run("x");
    expect(after).toMatch(/^x from /);
    expect(after).not.toBe(before);
  });

  it("ends a thread that takes too long, and continues with a new one", async () => {
    const workers = pool(1, { time: 2000 });
    await expect(workers.run("hang")).rejects.toMatchObject({ code: "unreadable_image" });
    expect(await workers.run("x")).toMatch(/^x from /);
  });

  it("refuses a request if all threads are busy and the queue is full", async () => {
    const workers = pool(1, { waiting: 2 });
    const results = await Promise.allSettled(Array.from({ length: 5 }, async () => await workers.run("x")));
    const refused = results.flatMap((result): unknown[] => (result.status === "rejected" ? [result.reason] : []));
    expect(refused).toMatchObject([{ code: "busy" }, { code: "busy" }]);
  });

  it("ends a thread that was idle for some time, and continues with a new one", async () => {
    const ended = Promise.withResolvers<void>();
    const watch = (message: unknown): void => {
      if (message instanceof Object && "worker" in message && message.worker instanceof Worker)
        message.worker.once("exit", () => ended.resolve());
    };
    subscribe("worker_threads", watch);
    const workers = pool(1, { idle: 10 });
    const before = await workers.run("x");
    unsubscribe("worker_threads", watch);
    await ended.promise;
    expect(await workers.run("x")).not.toBe(before);
  });

  it("ends running requests and refuses waiting ones when it is closed", async () => {
    const workers = pool(1);
    const running = workers.run("hang");
    const waiting = workers.run("x");
    const refused = [running, waiting].map((run) => expect(run).rejects.toMatchObject({ code: "shutting_down" }));
    await workers.close();
    await Promise.all(refused);
    await expect(workers.run("x")).rejects.toMatchObject({ code: "shutting_down" });
  });
});
