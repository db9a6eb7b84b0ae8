import type { Telex } from "@telex/core";
import { createManualClock } from "@telex/conformance/testing";
import { describe, expect, it } from "vitest";
import { createGuesses } from "./guesses.ts";

const isStranger = () => false;
const isOwner = () => true;

function setup() {
  const clock = createManualClock();
  const guesses = createGuesses({ clock, ratePeers: null });
  const guess = (name: string, address: string, isKnown = isStranger): unknown => {
    try {
      guesses.begin({ name, address, isKnown });
      return "counted";
    } catch (error) {
      return error;
    }
  };
  return { clock, guesses, guess };
}

describe("wrong passwords", () => {
  it("stop a network after 10 for a name in 15 minutes", async () => {
    const { clock, guess } = setup();
    const all = Array.from({ length: 30 }, () => guess("alice", "192.0.2.7"));
    expect(all.filter((one) => one === "counted")).toHaveLength(10);
    expect(all.at(-1)).toMatchObject({ code: "rate_limited", retryAfter: 900 });
    expect(guess("alice", "192.0.2.200")).toMatchObject({ code: "rate_limited" });
    expect(guess("bob", "192.0.2.7")).toBe("counted");
    expect(guess("alice", "192.0.3.7")).toBe("counted");
    await clock.advance(15 * 60_000);
    expect(guess("alice", "192.0.2.7")).toBe("counted");
  });

  it("count addresses within one /64 as one network", () => {
    const { guess } = setup();
    const all = Array.from({ length: 500 }, (_, index) =>
      guess("alice", `2001:db8:1:2:${index.toString(16)}::${index + 1}`),
    );
    expect(all.filter((one) => one === "counted")).toHaveLength(10);
  });

  it("from many networks stop strangers after 30 in an hour, and not the owner", async () => {
    const { clock, guess } = setup();
    const spread = Array.from({ length: 200 }, (_, index) => guess("alice", `10.0.${index}.1`));
    expect(spread.filter((one) => one === "counted")).toHaveLength(30);
    expect(guess("alice", "198.51.100.1")).toMatchObject({ code: "rate_limited" });
    expect(guess("alice", "198.51.100.1", isOwner)).toBe("counted");
    await clock.advance(60 * 60_000);
    expect(guess("alice", "198.51.100.1")).toBe("counted");
  });

  it("stop the owner's own network after 10 as well", () => {
    const { guess } = setup();
    for (let index = 0; index < 10; index += 1) guess("alice", "198.51.100.1", isOwner);
    expect(guess("alice", "198.51.100.1", isOwner)).toMatchObject({ code: "rate_limited" });
  });

  it("of all names stop strangers after 1,000 in 15 minutes, who make nothing forgotten by it", () => {
    const { guess } = setup();
    for (let index = 0; index < 10; index += 1) guess("bob", "192.0.2.7");
    const flood = Array.from({ length: 21_000 }, (_, index) =>
      guess(`name${index}`, `10.${index % 250}.${index % 249}.1`),
    );
    expect(flood.filter((one) => one === "counted")).toHaveLength(990);
    expect(guess("bob", "192.0.2.7", isOwner)).toMatchObject({ code: "rate_limited" });
    expect(guess("alice", "198.51.100.1", isOwner)).toBe("counted");
  });

  it("do not count the right ones", () => {
    const { guesses, guess } = setup();
    for (let index = 0; index < 100; index += 1) {
      const takeBack = guesses.begin({ name: "alice", address: "192.0.2.7", isKnown: isStranger });
      takeBack();
    }
    expect(guess("alice", "192.0.2.7")).toBe("counted");
  });
});

type RatePeers = NonNullable<Telex["ratePeers"]>;

/** Servers of one installation. An event arrives after a millisecond, or never. */
function setupServers(count: number, isLost = false) {
  const clock = createManualClock();
  const events: Parameters<RatePeers["publish"]>[0][] = [];
  const counting = Array.from({ length: count }, (): Parameters<RatePeers["subscribe"]>[0][] => []);
  const servers = counting.map((own) => {
    const ratePeers: RatePeers = {
      publish(uses) {
        events.push(uses);
        if (isLost) return;
        clock.after(1, () => {
          for (const counted of counting.flatMap((other) => (other === own ? [] : other))) uses.forEach(counted);
        });
      },
      subscribe: (counted) => void own.push(counted),
    };
    return createGuesses({ clock, ratePeers });
  });
  const begin = (index: number) =>
    servers[index % count]?.begin({ name: "alice", address: "192.0.2.7", isKnown: isStranger });
  /** How many of 60 guesses are counted, which go to the servers in turn. */
  const guess = async (): Promise<number> => {
    let counted = 0;
    for (let index = 0; index < 60; index += 1) {
      try {
        begin(index);
        counted += 1;
      } catch {}
      await clock.advance(10);
    }
    return counted;
  };
  return { clock, events, begin, guess };
}

describe("wrong passwords on three servers", () => {
  it("count together, without telling the names, and by themselves while the bus loses everything", async () => {
    const { guess, events } = setupServers(3);
    expect(await guess()).toBe(10);
    expect(JSON.stringify(events)).not.toContain("alice");
    expect(await setupServers(3, true).guess()).toBe(30);
  });

  it("are given back on each server by a right one, and cost no event if both come within milliseconds", async () => {
    const { clock, begin, guess, events } = setupServers(3);
    for (let round = 0; round < 20; round += 1) {
      const takeBack = begin(0);
      await clock.advance(20);
      takeBack?.();
      await clock.advance(20);
    }
    const told = events.length;
    begin(0)?.();
    await clock.advance(20);
    expect(events).toHaveLength(told);
    expect(await guess()).toBe(10);
  });
});
