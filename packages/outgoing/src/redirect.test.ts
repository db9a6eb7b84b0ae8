import { expect, test } from "vitest";
import { redirectOf } from "./redirect.ts";

const from = new URL("https://avatars.example/a/b?c=d");
const answer = (statusCode: number, location?: string) => ({ statusCode, headers: { location } });

test("a redirect may change the path, the port, and http to https", () => {
  expect(redirectOf(from, answer(302, "e"))?.href).toBe("https://avatars.example/a/e");
  expect(redirectOf(from, answer(308, "https://avatars.example:8443/"))?.href).toBe("https://avatars.example:8443/");
  const plain = new URL("http://avatars.example/a");
  expect(redirectOf(plain, answer(301, "https://AVATARS.example/a"))?.href).toBe("https://avatars.example/a");
});

test.each([
  "http://avatars.example/a",
  "https://other.example/",
  "//other.example/",
  "file:///etc/passwd",
  "https://[",
])("a redirect to %s is refused", (location) =>
  expect(() => redirectOf(from, answer(302, location))).toThrow("redirects"),
);

test("an answer that does not send on is no redirect", () => {
  expect(redirectOf(from, answer(200, "https://other.example/"))).toBeNull();
  expect(redirectOf(from, answer(302))).toBeNull();
  expect(redirectOf(from, answer(304, "/"))).toBeNull();
});
