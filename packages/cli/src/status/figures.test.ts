import { describe, expect, it } from "vitest";
import { describeStatus, ratesOf, spanOf, type Status } from "./figures.ts";

const status: Status = {
  server: "b-2",
  startedAt: 1000,
  now: 11_000,
  calls: { begun: 100, refused: 5, failed: 1 },
  running: 2,
  polls: 3,
  sockets: { rooms: 4, teleprinter: 1 },
  delivered: { rooms: 50, devices: 10 },
  quotaRefusals: 6,
  unknownRooms: 0,
  tools: [],
  stored: { users: 1, groups: 2, devices: 3, files: 4, queued: 5 },
  process: { pid: 1, node: "v26", cpuMs: 100, loopActiveMs: 50, loopIdleMs: 950, rss: 2 ** 20, heapUsed: 2 ** 19 },
};

const later: Status = {
  ...status,
  now: 13_000,
  calls: { begun: 121, refused: 7, failed: 1 },
  delivered: { rooms: 60, devices: 20 },
  process: { ...status.process, cpuMs: 1100, loopActiveMs: 550, loopIdleMs: 2450 },
};

describe("rates", () => {
  it("are what happened in a second between two looks", () => {
    expect(ratesOf(status, later)).toEqual({ calls: 10.5, refused: 1, failed: 0, delivered: 10, cpu: 50, loop: 25 });
  });

  it("are unknown if the server has begun again, or no time has passed", () => {
    expect(ratesOf(status, { ...later, startedAt: 12_000 })).toBeNull();
    expect(ratesOf(status, status)).toBeNull();
  });
});

describe("a status for a person", () => {
  it("names the sockets of each channel", () => {
    expect(describeStatus(status)).toMatchObject({
      running: "10 s, pid 1, Node v26",
      sockets: "4 rooms, 1 teleprinter",
      memory: "1.0 MiB, including a heap of 0.5 MiB",
    });
  });

  it("says which servers of tools are ready, and why others are not", () => {
    expect(describeStatus(status)).not.toHaveProperty("tools");
    const tools = [
      { name: "files", state: "ready", tools: 3, leftOut: 0, failure: "" },
      { name: "many", state: "ready", tools: 64, leftOut: 9, failure: "" },
      { name: "web", state: "failed", tools: 0, leftOut: 0, failure: "It has ended." },
    ] as const;
    expect(describeStatus({ ...status, tools: [...tools] })).toMatchObject({
      tools: "files 3 tools; many 64 tools, 9 left out; web failed (It has ended.)",
    });
  });

  it.each([
    [0, "0 s"],
    [59_999, "59 s"],
    [60_000, "1 min 0 s"],
    [3_700_000, "1 h 1 min"],
    [90_000_000, "1 d 1 h"],
  ])("says %d milliseconds as %s", (ms, text) => {
    expect(spanOf(ms)).toBe(text);
  });
});
