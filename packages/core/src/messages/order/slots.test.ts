import { describe, expect, it } from "vitest";
import { createSlots, type Slot } from "./slots.ts";

/** Notes when the slot is reached. */
async function noted(slot: Slot, name: string, reached: string[]): Promise<void> {
  await slot.reached();
  reached.push(name);
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("the slots of a connection's messages to one room", () => {
  it("are reached in the order in which they were taken, in whatever order they are asked for", async () => {
    const slots = createSlots();
    const origin = {};
    const [first, second, third] = [slots.take(origin, 1), slots.take(origin, 1), slots.take(origin, 1)];
    const reached: string[] = [];
    void noted(third, "third", reached);
    void noted(second, "second", reached);
    await settled();
    expect(reached).toEqual([]);
    first.leave();
    await settled();
    expect(reached).toEqual(["second"]);
    second.leave();
    await settled();
    expect(reached).toEqual(["second", "third"]);
  });

  it("are passed over when their message has failed before it was its turn", async () => {
    const slots = createSlots();
    const origin = {};
    const [first, second, third] = [slots.take(origin, 1), slots.take(origin, 1), slots.take(origin, 1)];
    const reached: string[] = [];
    void noted(third, "third", reached);
    second.leave();
    await settled();
    expect(reached).toEqual([]);
    first.leave();
    await settled();
    expect(reached).toEqual(["third"]);
    third.leave();
    await slots.take(origin, 1).reached();
  });

  it("do not wait for other rooms, other connections, or calls without a connection", async () => {
    const slots = createSlots();
    const origin = {};
    slots.take(origin, 1);
    const others = [slots.take(origin, 2), slots.take({}, 1), slots.take(undefined, 1)];
    const reached: string[] = [];
    for (const [index, slot] of others.entries()) void noted(slot, String(index), reached);
    await settled();
    expect(reached).toEqual(["0", "1", "2"]);
  });
});
