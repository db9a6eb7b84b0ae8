import { EventEmitter } from "node:events";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { onStopSignals } from "./signals.ts";

describe("signals that ask a program to end", () => {
  let heard: string[];
  let source: EventEmitter;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["performance"] });
    heard = [];
    source = new EventEmitter();
    onStopSignals(
      (signal) => heard.push(`first ${signal}`),
      (signal) => heard.push(`second ${signal}`),
      source,
    );
  });

  afterEach(() => vi.useRealTimers());

  it("are heard once, and again when somebody insists", () => {
    source.emit("SIGINT");
    vi.advanceTimersByTime(501);
    source.emit("SIGINT");
    expect(heard).toEqual(["first SIGINT", "second SIGINT"]);
  });

  it("are one when a key that was pressed once comes from the terminal and from npm", () => {
    source.emit("SIGINT");
    vi.advanceTimersByTime(500);
    source.emit("SIGINT");
    expect(heard).toEqual(["first SIGINT"]);
  });

  it("are two when they differ", () => {
    source.emit("SIGTERM");
    source.emit("SIGINT");
    expect(heard).toEqual(["first SIGTERM", "second SIGINT"]);
  });
});
