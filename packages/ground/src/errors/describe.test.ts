import { describe, expect, it } from "vitest";
import { TelexError } from "./errors.ts";
import { chooseLocale, describeError } from "./describe.ts";
import { en } from "./en.ts";
import { zh } from "./zh.ts";

const placeholders = (text: string): string[] =>
  [...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name).toSorted();

describe("the catalogue", () => {
  it("has the same placeholders in both languages", () => {
    for (const part of ["errors", "reasons", "problems"] as const) {
      for (const [key, text] of Object.entries(en[part])) {
        expect([key, placeholders(text)]).toEqual([key, placeholders(String(Reflect.get(zh[part], key)))]);
      }
    }
  });

  it("fills in the parameters and adds the reason if there is one", () => {
    expect(describeError(new TelexError("device_taken", { params: { deviceId: "a" } }), "en")).toBe(
      'The device ID "a" is registered to another user. Choose another one.',
    );
    expect(describeError(new TelexError("invalid_request", { reason: "empty_message" }), "zh-CN")).toBe(
      "消息内容为空。",
    );
  });

  it("shows an incident and nothing else of an internal error", () => {
    const error = TelexError.from(new Error("select * from secrets"));
    expect(describeError(error, "en")).toMatch(/^An internal error occurred\. Incident [0-9a-f]{16}\.$/);
  });

  it.each([
    ["en", "en"],
    ["en-GB,en;q=0.9,zh;q=0.8", "en"],
    ["fr,zh;q=0.5,en;q=0.4", "zh-CN"],
    ["zh-TW", "zh-CN"],
    ["en;q=0,zh;q=0.1", "zh-CN"],
    ["fr, *;q=0.1", "zh-CN"],
    ["", "zh-CN"],
    [null, "zh-CN"],
    [";;;,,,q=", "zh-CN"],
  ] as const)("Accept-Language %j means %s", (header, locale) => {
    expect(chooseLocale(header, "zh-CN")).toBe(locale);
  });
});
