import { character, fc } from "test-support/property";
import { expect, it } from "vitest";
import { canonicalRecord, compareKeys, keyOf } from "./key.ts";
import { recordKey, recordKinds } from "./records.ts";
import { parseRecord, recordDefaults, recordFields } from "./schemas.ts";

const anyText = fc.string({ unit: character });

it("orders texts as their bytes in UTF-8, whatever is in them", () => {
  fc.assert(
    fc.property(anyText, anyText, (a, b) => {
      const order = Buffer.compare(Buffer.from(a), Buffer.from(b));
      expect(Math.sign(compareKeys([a], [b]))).toBe(order);
    }),
  );
  expect(compareKeys(["\uFF5E"], ["\u{1F600}"])).toBeLessThan(0);
});

it("orders by the first part that differs, numbers by size", () => {
  expect(compareKeys([2, "b"], [10, "a"])).toBeLessThan(0);
  expect(compareKeys([2, "b"], [2, "a"])).toBeGreaterThan(0);
  expect(compareKeys([2, "a"], [2, "a"])).toBe(0);
});

it("writes a record in one way, in whatever order its fields come", () => {
  const use = { seq: 3, md5: "d", groupId: 7 };
  expect(canonicalRecord("fileUses", use)).toBe('{"md5":"d","groupId":7,"seq":3}');
  expect(keyOf("fileUses", use)).toEqual(["d", 7, 3]);
});

it("has keys that are fields", () => {
  for (const kind of recordKinds) expect(recordFields(kind)).toEqual(expect.arrayContaining([...recordKey(kind)]));
});

it("reads a record of a version that did not have a field with what the field was then", () => {
  const bot = { account: "1", gateway: "onebot", network: "qq", official: false, digest: null, secret: null };
  const fields = { ...bot, connect: null, protocol: 0, minInterval: 0, createdAt: 1 };
  expect(parseRecord("bots", fields)).toEqual({ ...fields, name: null });
  expect(recordDefaults("bots")).toEqual({ name: null });
  expect(recordDefaults("fileUses")).toEqual({});
});

it("reads a record with no field missing and none too many", () => {
  const use = { md5: "d", groupId: 7, seq: 3 };
  expect(parseRecord("fileUses", use)).toEqual(use);
  expect(() => parseRecord("fileUses", { md5: "d", seq: 3 })).toThrow(/^A record of fileUses is not one at groupId: /);
  expect(() => parseRecord("fileUses", { ...use, x: 1 })).toThrow("A record of fileUses is not one");
  expect(() => parseRecord("fileUses", null)).toThrow("A record of fileUses is not one");
});
