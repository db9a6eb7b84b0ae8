import { expect, test } from "vitest";
import { usernameKey } from "./usernames.ts";

// RFC 8265 3.5, the examples of two characters and more.
test.each([
  ["fussball", "fussball"],
  ["fu\u00dfball", "fu\u00dfball"],
  ["\u03c0\u03c0", "\u03c0\u03c0"],
  ["\u03a3\u0391", "\u03c3\u03b1"],
  ["\u03c2\u03c2", "\u03c2\u03c2"],
  ["\u03d4\u0391", null],
  ["foo bar", null],
  ["", null],
  ["henry\u2163", null],
  ["\u265a\u265a", null],
])("%j is compared as %j, as RFC 8265 says", (text, key) => {
  expect(usernameKey(text)).toBe(key);
});

test.each([
  ["Alice", "alice"],
  ["\uff21lice", "alice"],
  ["\u5f20\u4e09", "\u5f20\u4e09"],
  ["re\u0301mi", "r\u00e9mi"],
  ["l\u00b7l", "l\u00b7l"],
  ["a".repeat(32), "a".repeat(32)],
])("%j is the username %j", (text, key) => {
  expect(usernameKey(text)).toBe(key);
});

test.each([
  ["a"],
  ["a".repeat(33)],
  ["alice@example.com"],
  ["a\u00b7b"],
  ["al\u200dice"],
  ["al\u200bice"],
  ["al\u0000ice"],
  ["\u0661\u06f1\u0627"],
  ["al\ud800ice"],
])("%j is not a username", (text) => {
  expect(usernameKey(text)).toBeNull();
});

test.each([
  ["\u05d0\u05d1\u05d2", true],
  ["\u0627\u0661", true],
  ["\u05d01", true],
  ["1\u05d0", false],
  ["a\u05d0", false],
  ["\u05d0a", false],
  ["\u05d0-", false],
  ["\u05d0\u06611", false],
])("the Bidi Rule holds for %j: %j", (text, isName) => {
  expect(usernameKey(text) !== null).toBe(isName);
});
