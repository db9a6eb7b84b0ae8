import { describe, expect, it } from "vitest";
import type { SendOutcome } from "./client.ts";
import { type BotRecord, compareBot, sumUpBot } from "./figures.ts";

const nothing: BotRecord = { sends: new Map(), said: [], taken: [], stored: [] };

const sendOf = (outcome: SendOutcome, taken: readonly string[], stored: readonly string[]) =>
  compareBot({ ...nothing, sends: new Map([["a", outcome]]), taken, stored }).map(({ kind }) => kind);

describe("a message of a client", () => {
  it.each([
    ["sent", ["a"], ["a"]],
    ["unknown", [], []],
    ["unknown", ["a"], ["a"]],
    ["refused", [], []],
  ] as const)("is whole: %s, network %j, room %j", (outcome, taken, stored) => {
    expect(sendOf(outcome, taken, stored)).toEqual([]);
  });

  it.each([
    ["sent", [], []],
    ["sent", [], ["a"]],
    ["sent", ["a"], []],
    ["unknown", ["a"], []],
    ["unknown", [], ["a"]],
    ["refused", [], ["a"]],
  ] as const)("is lost: %s, network %j, room %j", (outcome, taken, stored) => {
    expect(sendOf(outcome, taken, stored)).toEqual(["lost"]);
  });

  it.each([
    ["sent", ["a", "a"], ["a"]],
    ["sent", ["a"], ["a", "a"]],
    ["unknown", ["a", "a"], ["a"]],
    ["refused", ["a"], ["a"]],
  ] as const)("is duplicated: %s, network %j, room %j", (outcome, taken, stored) => {
    expect(sendOf(outcome, taken, stored)).toEqual(["duplicate"]);
  });
});

it("a message of a person is stored once", () => {
  const record = { ...nothing, said: ["once", "twice", "never"], stored: ["once", "twice", "twice", "of another run"] };
  expect(compareBot(record)).toEqual([
    { kind: "duplicate", text: "twice", network: 1, room: 2 },
    { kind: "lost", text: "never", network: 1, room: 0 },
  ]);
});

it("the figures count messages by their outcome", () => {
  const sends = new Map<string, SendOutcome>([
    ["a", "sent"],
    ["b", "sent"],
    ["c", "unknown"],
    ["d", "refused"],
  ]);
  const record = { sends, said: ["e"], taken: ["a", "b", "b"], stored: ["a", "b"] };
  expect(sumUpBot(record, compareBot(record), { version: 12, connections: 2, latencies: [3, 1, 2] })).toEqual({
    version: 12,
    sent: 2,
    unknown: 1,
    refused: 1,
    said: 1,
    connections: 2,
    duplicates: 1,
    lost: 1,
    latencyMs: { p50: 2, p99: 3 },
  });
});
