import { describe, expect, it } from "vitest";
import { readDeviceScope, shownScope, storedDeviceScope } from "./scopes.ts";

describe("a stored scope", () => {
  it("names the generation of its device, and goes out without it", () => {
    const stored = storedDeviceScope("kitchen_1", 12, null);
    const scope = "device:kitchen_1";
    expect(readDeviceScope(stored)).toEqual({ scope, deviceId: "kitchen_1", generation: 12, issuer: null });
    expect(shownScope(stored)).toBe(scope);
  });

  it("names the token of the admin who has issued it, and goes out without it", () => {
    const stored = storedDeviceScope("kitchen", 0, 7);
    expect(readDeviceScope(stored)).toEqual({
      scope: "device:kitchen",
      deviceId: "kitchen",
      generation: 0,
      issuer: 7,
    });
    expect(shownScope(stored)).toBe("device:kitchen");
  });

  it("of a token from before generations is for the first one", () => {
    expect(readDeviceScope("device:kitchen")).toMatchObject({ scope: "device:kitchen", generation: 0, issuer: null });
  });

  it.each(["chat", "profile", "device:", "device:a b", "device:kitchen#", "device:kitchen#-1", "device:kitchen@"])(
    "%s is for no device, and goes out as it is",
    (stored) => {
      expect(readDeviceScope(stored)).toBeNull();
      expect(shownScope(stored)).toBe(stored);
    },
  );
});
