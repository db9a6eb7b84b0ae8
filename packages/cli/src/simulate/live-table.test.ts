import { stripVTControlCharacters } from "node:util";
import type { DeviceMessageView } from "@telex/core";
import { describe, expect, it } from "vitest";
import { createLiveTable } from "./live-table.ts";

const message = (deviceId: string, content: string): DeviceMessageView => ({
  id: 1,
  deviceId,
  direction: "to_device",
  content,
  delivered: 1,
  createdAt: "2026-11-20T08:15:30.123+00:00",
});

function createScreen(columns: number, rows: number) {
  const written: string[] = [];
  return {
    columns,
    rows,
    write: (text: string) => void written.push(text),
    last: () =>
      stripVTControlCharacters(written.at(-1) ?? "")
        .trimEnd()
        .split("\n"),
    all: () => written.join(""),
  };
}

describe("the live table", () => {
  it("shows what each device received, the last one first, and the sum", () => {
    const screen = createScreen(80, 24);
    const table = createLiveTable(["a", "b", "c"], screen);
    table.note(message("b", "first"));
    table.note(message("c", "你好\u001b[31m"));
    table.note(message("b", "second"));
    table.stop();
    expect(screen.last()).toEqual([
      "device  received  last text",
      "b       2         second",
      String.raw`c       1         你好\u{1b}[31m`,
      "a       0         -",
      "3 devices, 3 received",
    ]);
  });

  it("never takes more lines than the terminal has, nor more columns", () => {
    const screen = createScreen(30, 10);
    const ids = Array.from({ length: 50 }, (_, index) => `device-${index}`);
    const table = createLiveTable(ids, screen);
    table.note(message("device-7", "x".repeat(200)));
    table.stop();
    const lines = screen.last();
    expect(lines).toHaveLength(8);
    expect(lines[1]).toBe("device-7  1         xxxxxxxxx…");
    expect(lines.at(-1)).toBe("50 devices, 1 received, 44 no…");
  });

  it("draws over itself", () => {
    const screen = createScreen(80, 24);
    createLiveTable(["a"], screen).stop();
    expect(screen.all()).toContain("\u001b[3F");
  });
});
