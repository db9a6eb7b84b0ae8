import { describe, expect, it } from "vitest";
import { readDeviceScope, shownScope, storedDeviceScope } from "./scopes.ts";

describe("a stored scope", () => {
  it("names the generation of its device, and goes out without it", () => {
    const stored = storedDeviceScope("kitchen_1", 12);
    expect(readDeviceScope(stored)).toEqual({ scope: "device:kitchen_1", deviceId: "kitchen_1", generation: 12 });
    expect(shownScope(stored)).toBe("device:kitchen_1");
  });

  it("of a token from before generations is for the first one", () => {
    expect(readDeviceScope("device:kitchen")).toEqual({ scope: "device:kitchen", deviceId: "kitchen", generation: 0 });
  });

  it.each(["chat", "profile", "device:", "device:a b", "device:kitchen#", "device:kitchen#-1"])(
    "%s is for no device, and goes out as it is",
    (stored) => {
      expect(readDeviceScope(stored)).toBeNull();
      expect(shownScope(stored)).toBe(stored);
    },
  );
});
