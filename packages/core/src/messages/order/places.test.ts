import { describe, expect, it } from "vitest";
import { createPlaces, type Place } from "./places.ts";

/** Notes when the place is reached. */
async function noted(place: Place, name: string, reached: string[]): Promise<void> {
  await place.reached();
  reached.push(name);
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("the places of a connection's messages to one room", () => {
  it("are reached in the order in which they were taken, in whatever order they are asked for", async () => {
    const places = createPlaces();
    const origin = {};
    const [first, second, third] = [places.take(origin, 1), places.take(origin, 1), places.take(origin, 1)];
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
    const places = createPlaces();
    const origin = {};
    const [first, second, third] = [places.take(origin, 1), places.take(origin, 1), places.take(origin, 1)];
    const reached: string[] = [];
    void noted(third, "third", reached);
    second.leave();
    await settled();
    expect(reached).toEqual([]);
    first.leave();
    await settled();
    expect(reached).toEqual(["third"]);
    third.leave();
    await places.take(origin, 1).reached();
  });

  it("do not wait for other rooms, other connections, or calls without a connection", async () => {
    const places = createPlaces();
    const origin = {};
    places.take(origin, 1);
    const others = [places.take(origin, 2), places.take({}, 1), places.take(undefined, 1)];
    const reached: string[] = [];
    for (const [index, place] of others.entries()) void noted(place, String(index), reached);
    await settled();
    expect(reached).toEqual(["0", "1", "2"]);
  });
});
