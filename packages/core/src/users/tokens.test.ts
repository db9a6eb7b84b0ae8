import { describe, expect, it } from "vitest";
import { generateToken, isTokenShaped } from "./tokens.ts";

describe("a personal token", () => {
  it("is tlxp_, 30 digits and a checksum of 6", () => {
    const token = generateToken();
    expect(token).toMatch(/^tlxp_[0-9A-Za-z]{36}$/);
    expect(isTokenShaped(token)).toBe(true);
  });

  it("is refused by its checksum when one character differs", () => {
    const token = generateToken();
    const other = token.endsWith("0") ? "1" : "0";
    expect(isTokenShaped(token.slice(0, -1) + other)).toBe(false);
    expect(isTokenShaped("")).toBe(false);
    expect(isTokenShaped(`${token}x`)).toBe(false);
  });

  it("never comes twice", () => {
    expect(new Set(Array.from({ length: 1000 }, generateToken)).size).toBe(1000);
  });
});
