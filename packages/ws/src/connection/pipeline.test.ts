import { ticks } from "@telex/conformance/testing";
import { describe, expect, it } from "vitest";
import type { CommandOrder } from "../channels/channel.ts";
import { createPipeline } from "./pipeline.ts";

interface Item {
  readonly name: number;
  readonly order?: CommandOrder;
}

/** A pipeline whose commands end on request of the test. */
function held(limit: number, isOpen = true) {
  const started: number[] = [];
  const answered: number[] = [];
  const ends = new Map<number, () => void>();
  const flow: string[] = [];
  const pipeline = createPipeline<Item, number>({
    limit,
    answer: (name) => void answered.push(name),
    pause: () => void flow.push("pause"),
    resume: () => void flow.push("resume"),
  });
  const prepare = ({ name, order = "together" }: Item) => ({
    order,
    run: () =>
      new Promise<number>((resolve) => {
        started.push(name);
        ends.set(name, () => resolve(name));
      }),
  });
  const open = () => pipeline.open(prepare);
  if (isOpen) open();
  const push = (...items: readonly Item[]) => {
    for (const item of items) pipeline.push(item);
  };
  const end = async (name: number): Promise<void> => {
    ends.get(name)?.();
    await ticks(1);
  };
  return { pipeline, open, push, started, answered, flow, end };
}

const names = (...all: readonly number[]): readonly Item[] => all.map((name) => ({ name }));

describe("a pipeline", () => {
  it("begins commands in order and immediately, and answers them in order, whichever ends first", async () => {
    const { push, started, answered, end } = held(64);
    push(...names(1, 2, 3));
    expect(started).toEqual([1, 2, 3]);
    await end(3);
    await end(2);
    expect(answered).toEqual([]);
    await end(1);
    expect(answered).toEqual([1, 2, 3]);
  });

  it("answers unordered commands when they are done", async () => {
    const { push, answered, end } = held(64);
    push({ name: 1, order: "unordered" }, { name: 2 }, { name: 3, order: "unordered" });
    await end(3);
    await end(2);
    await end(1);
    expect(answered).toEqual([3, 2, 1]);
  });

  it("runs a command alone: after all before it are answered, and nothing together with it", async () => {
    const { push, started, end } = held(64);
    push({ name: 1 }, { name: 2, order: "unordered" }, { name: 3, order: "alone" }, { name: 4 });
    expect(started).toEqual([1, 2]);
    await end(1);
    expect(started).toEqual([1, 2]);
    await end(2);
    expect(started).toEqual([1, 2, 3]);
    await end(3);
    expect(started).toEqual([1, 2, 3, 4]);
  });

  it("lets everything wait until it is open", () => {
    const { open, push, started } = held(64, false);
    push(...names(1, 2));
    expect(started).toEqual([]);
    open();
    expect(started).toEqual([1, 2]);
  });

  it("pauses its source from the limit on, and resumes it when one less is in progress or waits", async () => {
    const { pipeline, push, started, flow, end } = held(2);
    push({ name: 0 });
    expect([pipeline.isFull(), flow]).toEqual([false, []]);
    push(...names(1, 2));
    expect([pipeline.isFull(), flow]).toEqual([true, ["pause"]]);
    expect(started).toEqual([0, 1]);
    await end(1);
    // Done, but not answered before the command in front of it.
    expect([started, flow]).toEqual([[0, 1], ["pause"]]);
    await end(0);
    expect(started).toEqual([0, 1, 2]);
    expect([pipeline.isFull(), flow]).toEqual([false, ["pause", "resume"]]);
  });

  it("forgets what waits when it is cleared, and answers what is in progress", async () => {
    const { pipeline, push, started, answered, flow, end } = held(2);
    push(...names(1, 2, 3));
    pipeline.clear();
    await end(2);
    await end(1);
    expect([started, answered]).toEqual([
      [1, 2],
      [1, 2],
    ]);
    expect(flow).toEqual(["pause", "resume"]);
  });

  it("reads as many commands in a tick as may run, also of those that end immediately", async () => {
    const read: number[] = [];
    const answered: number[] = [];
    const pipeline = createPipeline<number, number>({
      limit: 4,
      answer: (name) => void answered.push(name),
      pause: () => {},
      resume: () => {},
    });
    pipeline.open((name) => {
      read.push(name);
      return { order: "together", run: () => Promise.resolve(name) };
    });
    const readIn: number[] = [];
    const counted = (async () => {
      for (let tick = 0; tick < 3; tick += 1) {
        await ticks(1);
        readIn.push(read.length);
      }
    })();
    for (let name = 0; name < 10; name += 1) pipeline.push(name);
    await counted;
    expect(readIn).toEqual([4, 8, 10]);
    expect(answered).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it("is idle when nothing is in progress or waits", async () => {
    const { pipeline, push, end } = held(64);
    await pipeline.idle();
    push(...names(1, 2));
    let isIdle = false;
    const waiting = (async () => {
      await pipeline.idle();
      isIdle = true;
    })();
    await end(2);
    expect(isIdle).toBe(false);
    await end(1);
    await waiting;
  });
});
