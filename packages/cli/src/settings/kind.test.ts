import { describe, expect, it } from "vitest";
import { integer, list, optional, toggle } from "./kind.ts";
import { duration, size, timeZone } from "./quantity-kinds.ts";
import { origins, proxies, template, url } from "./address-kinds.ts";

describe("kinds of settings", () => {
  it("read lengths of time and write them in the largest unit that fits", () => {
    expect(["30s", "15m", "24h", "90d"].map((text) => duration.parse(text))).toEqual([
      30e3, 900e3, 86_400e3, 7_776_000e3,
    ]);
    expect([30e3, 90e3, 86_400e3, 36 * 3_600e3].map((value) => duration.show(value))).toEqual([
      "30s",
      "90s",
      "1d",
      "36h",
    ]);
    expect(["0s", "1", "1.5h", "-1h", "1w", "1 h", "99999999999d"].map((text) => duration.parse(text))).toEqual(
      Array.from({ length: 7 }, () => undefined),
    );
  });

  it("read sizes and write them in the largest unit that fits", () => {
    expect(["512MiB", "1GiB", "3KiB", "0", "7", 1025].map((given) => size.parse(given))).toEqual([
      2 ** 29,
      2 ** 30,
      3072,
      0,
      7,
      1025,
    ]);
    expect([2 ** 29, 2 ** 30, 3 * 2 ** 30, 3072, 0, 1025].map((value) => size.show(value))).toEqual([
      "512MiB",
      "1GiB",
      "3GiB",
      "3KiB",
      "0",
      "1025",
    ]);
    for (const given of ["512MB", "1.5GiB", "-1", "", " 1", "1 GiB", "00", "9999999999GiB", true]) {
      expect({ given, value: size.parse(given) }).toEqual({ given, value: undefined });
    }
  });

  it("take whole numbers within bounds, as numbers or digits and nothing else", () => {
    const kind = integer(0, 65_535);
    expect([0, "0", 65_535, "7700"].map((given) => kind.parse(given))).toEqual([0, 0, 65_535, 7700]);
    for (const given of [65_536, -1, 1.5, "1.0", "1e3", "0x10", " 1", "", "007", true]) {
      expect({ given, value: kind.parse(given) }).toEqual({ given, value: undefined });
    }
  });

  it("take switches as words, and as booleans of a file", () => {
    expect(["on", "off", true, false, "yes", 1].map((given) => toggle.parse(given))).toEqual([
      true,
      false,
      true,
      false,
      undefined,
      undefined,
    ]);
    expect(["on", "off", true, 2, "3", "17"].map((given) => proxies.parse(given))).toEqual([1, 0, 1, 2, 3, undefined]);
  });

  it("take an empty text for no value where a value may be absent", () => {
    const kind = optional(url("https:"));
    expect([kind.parse(""), kind.parse("https://a.example/"), kind.parse("http://a.example")]).toEqual([
      null,
      "https://a.example",
      undefined,
    ]);
  });

  it("take templates with {id} in an http(s) address only", () => {
    expect(template.parse("https://a.example/{id}?s={size}")).toBe("https://a.example/{id}?s={size}");
    for (const given of ["https://a.example/", "file:///{id}", "{id}", ""])
      expect(template.parse(given)).toBeUndefined();
  });

  it("take lists as texts with commas and as arrays", () => {
    const kind = list("numbers", /^\d$/);
    expect([kind.parse("1, 2"), kind.parse(["3"]), kind.parse(""), kind.parse("1,,2")]).toEqual([
      ["1", "2"],
      ["3"],
      [],
      undefined,
    ]);
  });

  it("take exact origins, or * alone", () => {
    const app = "https://app.example";
    expect(origins.parse(`${app}, http://127.0.0.1:5173`)).toEqual([app, "http://127.0.0.1:5173"]);
    expect([origins.parse("*"), origins.parse("")]).toEqual([["*"], []]);
    for (const given of [`${app}/`, `${app}/path`, "app.example", "null", "https://*.example", `*,${app}`]) {
      expect(origins.parse(given)).toBeUndefined();
    }
  });

  it("take time zones by their IANA names", () => {
    expect(["UTC", "Asia/Shanghai", "Mars/Olympus", "+08:00", ""].map((zone) => timeZone.parse(zone))).toEqual([
      "UTC",
      "Asia/Shanghai",
      undefined,
      undefined,
      undefined,
    ]);
  });
});
