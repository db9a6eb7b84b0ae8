import { describe, expect, it } from "vitest";
import type { BusEvent } from "../instance/bus-events.ts";
import { createManualClock } from "@telex/conformance/testing";
import { createRoomPresence, type RoomPresence } from "./presence.ts";

const limits = { presenceInterval: 2000, presenceLease: 10_000 };

const hear = ({ heard }: RoomPresence, event: BusEvent): void => {
  if (event.kind === "room_presence") heard.change(event);
  if (event.kind === "room_presence_state") heard.state(event);
  if (event.kind === "room_presence_ask") heard.ask(event);
};

/** Two servers, and a wire between them that can be cut. */
function createPair() {
  const clock = createManualClock();
  const wire = { isCut: false, events: 0 };
  const server = (self: string, other: () => RoomPresence) =>
    createRoomPresence({
      self,
      clock,
      limits,
      publish(event) {
        wire.events += 1;
        if (!wire.isCut) hear(other(), structuredClone(event));
      },
    });
  const here: RoomPresence = server("here", () => there);
  const there: RoomPresence = server("there", () => here);
  const pass = async (milliseconds: number): Promise<void> => {
    for (let passed = 0; passed < milliseconds; passed += 250) {
      await clock.advance(250);
      here.tick();
      there.tick();
    }
  };
  return { here, there, wire, pass };
}

describe("presence in rooms", () => {
  it("lasts until the last connection of a user has ended", () => {
    const presence = createRoomPresence({ clock: createManualClock(), limits, self: "here", publish: null });
    const [first, second] = [presence.open(7), presence.open(7)];
    first();
    first();
    expect(presence.isOnline(7)).toBe(true);
    expect(presence.isOnline(8)).toBe(false);
    second();
    expect(presence.isOnline(7)).toBe(false);
  });

  it("is the same on every server", () => {
    const { here, there } = createPair();
    const ends = [here.open(7), there.open(7), there.open(8)];
    expect([here, there].map((server) => [server.isOnline(7), server.isOnline(8)])).toEqual([
      [true, true],
      [true, true],
    ]);
    ends[0]?.();
    expect(here.isOnline(7)).toBe(true);
    ends[1]?.();
    expect([here.isOnline(7), there.isOnline(7)]).toEqual([false, false]);
  });

  it("says one thing for many connections of a user", () => {
    const { here, wire } = createPair();
    here.open(8);
    wire.events = 0;
    const ends = Array.from({ length: 5 }, () => here.open(7));
    for (const end of ends) end();
    expect(wire.events).toBe(2);
  });

  it("is right again within 5 seconds after changes were lost", async () => {
    const { here, there, wire, pass } = createPair();
    const end = here.open(7);
    wire.isCut = true;
    end();
    here.open(8);
    wire.isCut = false;
    expect([there.isOnline(7), there.isOnline(8)]).toEqual([true, false]);
    await pass(5000);
    expect([there.isOnline(7), there.isOnline(8)]).toEqual([false, true]);
  });

  it("notices a hole when the next change comes", () => {
    const { here, there, wire } = createPair();
    wire.isCut = true;
    here.open(7);
    wire.isCut = false;
    here.open(8);
    expect([there.isOnline(7), there.isOnline(8)]).toEqual([true, true]);
  });

  it("takes changes that come late or twice for what they are", () => {
    const clock = createManualClock();
    const presence = createRoomPresence({ clock, limits, self: "here", publish: () => {} });
    const change = (version: number, online: boolean) =>
      presence.heard.change({ kind: "room_presence", server: "other", version, userId: 7, online });
    presence.heard.state({ kind: "room_presence_state", server: "other", version: 0, userIds: [] });
    change(1, true);
    change(2, false);
    change(1, true);
    expect(presence.isOnline(7)).toBe(false);
    presence.heard.state({ kind: "room_presence_state", server: "other", version: 1, userIds: [7] });
    expect(presence.isOnline(7)).toBe(false);
  });

  it("ends with the lease of a server that is silent, and comes back with it", async () => {
    const { here, there, wire, pass } = createPair();
    here.open(7);
    wire.isCut = true;
    await pass(9000);
    expect(there.isOnline(7)).toBe(true);
    await pass(4000);
    expect(there.isOnline(7)).toBe(false);
    wire.isCut = false;
    await pass(2000);
    expect(there.isOnline(7)).toBe(true);
  });

  it("ends immediately with a server that leaves", () => {
    const { here, there } = createPair();
    const end = here.open(7);
    here.leave();
    expect(there.isOnline(7)).toBe(false);
    end();
    expect(there.isOnline(7)).toBe(false);
  });
});
