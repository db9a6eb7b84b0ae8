import { createManualClock } from "@telex/conformance/testing";
import { describe, expect, it } from "vitest";
import { createGuesses } from "./guesses.ts";

const isStranger = () => Promise.resolve(false);
const isOwner = () => Promise.resolve(true);

function setup() {
  const clock = createManualClock();
  const guesses = createGuesses(clock);
  const guess = async (name: string, address: string, isKnown = isStranger) =>
    await guesses.begin({ name, address, isKnown }).then(
      () => "counted",
      (error: unknown) => error,
    );
  return { clock, guesses, guess };
}

describe("wrong passwords", () => {
  it("stop a network after 10 for a name in 15 minutes, also for simultaneous calls", async () => {
    const { clock, guess } = setup();
    const all = await Promise.all(Array.from({ length: 30 }, () => guess("alice", "192.0.2.7")));
    expect(all.filter((one) => one === "counted")).toHaveLength(10);
    expect(all.at(-1)).toMatchObject({ code: "rate_limited", retryAfter: 900 });
    expect(await guess("alice", "192.0.2.200")).toMatchObject({ code: "rate_limited" });
    expect(await guess("bob", "192.0.2.7")).toBe("counted");
    expect(await guess("alice", "192.0.3.7")).toBe("counted");
    await clock.advance(15 * 60_000);
    expect(await guess("alice", "192.0.2.7")).toBe("counted");
  });

  it("count addresses within one /64 as one network", async () => {
    const { guess } = setup();
    const all = await Promise.all(
      Array.from({ length: 500 }, (_, index) => guess("alice", `2001:db8:1:2:${index.toString(16)}::${index + 1}`)),
    );
    expect(all.filter((one) => one === "counted")).toHaveLength(10);
  });

  it("from many networks stop strangers after 30 in an hour, and not the owner", async () => {
    const { clock, guess } = setup();
    const spread = async (): Promise<unknown[]> =>
      await Promise.all(Array.from({ length: 200 }, (_, index) => guess("alice", `10.0.${index}.1`)));
    expect((await spread()).filter((one) => one === "counted")).toHaveLength(30);
    expect(await guess("alice", "198.51.100.1")).toMatchObject({ code: "rate_limited" });
    expect(await guess("alice", "198.51.100.1", isOwner)).toBe("counted");
    await clock.advance(60 * 60_000);
    expect(await guess("alice", "198.51.100.1")).toBe("counted");
  });

  it("stop the owner's own network after 10 as well", async () => {
    const { guess } = setup();
    for (let index = 0; index < 10; index += 1) await guess("alice", "198.51.100.1", isOwner);
    expect(await guess("alice", "198.51.100.1", isOwner)).toMatchObject({ code: "rate_limited" });
  });

  it("of all names stop strangers after 1,000 in 15 minutes", async () => {
    const { guess } = setup();
    const many = Array.from({ length: 1100 }, (_, index) =>
      guess(`name${index}`, `10.${index % 250}.${index % 249}.1`),
    );
    expect((await Promise.all(many)).filter((one) => one === "counted")).toHaveLength(1000);
    expect(await guess("alice", "198.51.100.1", isOwner)).toBe("counted");
  });

  it("do not count the right ones", async () => {
    const { guesses, guess } = setup();
    for (let index = 0; index < 100; index += 1) {
      const takeBack = await guesses.begin({ name: "alice", address: "192.0.2.7", isKnown: isStranger });
      takeBack();
    }
    expect(await guess("alice", "192.0.2.7")).toBe("counted");
  });
});
