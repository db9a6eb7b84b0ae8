import { describe, expect, it } from "vitest";
import { createZone } from "./zone.ts";

const at = Date.parse("2026-11-20T08:15:30.123Z");

describe("a zone", () => {
  it.each([
    ["UTC", "2026-11-20T08:15:30.123+00:00"],
    ["Asia/Shanghai", "2026-11-20T16:15:30.123+08:00"],
    ["America/St_Johns", "2026-11-20T04:45:30.123-03:30"],
    ["Asia/Kathmandu", "2026-11-20T14:00:30.123+05:45"],
  ])("writes a moment in %s as %s", (name, written) => {
    expect(createZone(name).format(at)).toBe(written);
  });

  it("follows the clocks when they change", () => {
    const zone = createZone("Europe/Berlin");
    expect(zone.format(Date.parse("2026-10-25T00:59:59.999Z"))).toBe("2026-10-25T02:59:59.999+02:00");
    expect(zone.format(Date.parse("2026-10-25T01:00:00.000Z"))).toBe("2026-10-25T02:00:00.000+01:00");
  });

  it("begins a day at the first moment that exists when midnight is skipped", () => {
    const zone = createZone("America/Santiago");
    expect(zone.format(zone.startOf("2026-09-06"))).toBe("2026-09-06T01:00:00.000-03:00");
  });

  it("begins a day at the first of two midnights", () => {
    const zone = createZone("America/Havana");
    const start = zone.startOf("2026-11-01");
    expect(zone.format(start)).toBe("2026-11-01T00:00:00.000-04:00");
    expect(zone.day(start - 1)).toBe("2026-10-31");
  });

  it("refuses a zone that does not exist", () => {
    expect(() => createZone("Mars/Olympus")).toThrow(RangeError);
  });
});
