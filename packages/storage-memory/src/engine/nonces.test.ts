import { expect, it } from "vitest";
import { createNonces } from "./nonces.ts";

it("finds a nonce within the requested life", () => {
  const nonces = createNonces<string>();
  expect(nonces.find("n", 100, 10)).toBeNull();
  nonces.keep("n", 100, "first");
  expect(nonces.find("n", 109, 10)).toBe("first");
  expect(nonces.find("n", 110, 10)).toBeNull();
  expect(nonces.find("other", 100, 10)).toBeNull();
});

it("forgets nonces that are older than any requested life", () => {
  const nonces = createNonces<string>();
  nonces.find("n", 0, 10);
  nonces.keep("old", 0, "old");
  nonces.keep("older", 1, "older");
  nonces.keep("new", 11, "new");
  expect(nonces.find("old", 12, 1000)).toBeNull();
  expect(nonces.find("older", 12, 1000)).toBeNull();
  expect(nonces.find("new", 12, 1000)).toBe("new");
});

it("dates a nonce that is stored again from that time", () => {
  const nonces = createNonces<string>();
  nonces.find("n", 0, 10);
  nonces.keep("n", 0, "first");
  nonces.keep("between", 5, "between");
  nonces.keep("n", 12, "second");
  nonces.keep("last", 16, "last");
  expect(nonces.find("n", 17, 10)).toBe("second");
  expect(nonces.find("between", 17, 1000)).toBeNull();
});
