import { expect, it } from "vitest";
import { localPath } from "./local-path.ts";

it.each([
  ["/user/rooms/7", "/user/rooms/7"],
  ["/user/rooms/7?x=1&y=a%20b", "/user/rooms/7?x=1&y=a%20b"],
  ["/user/./rooms/../chat/", "/user/chat/"],
  ["/oauth2/auth/abc_-1", "/oauth2/auth/abc_-1"],
])("%j is a path of a page, which is kept", (to, expected) => {
  expect(localPath(to, "/user/")).toBe(expected);
});

it.each([
  null,
  undefined,
  "",
  "user/",
  "//evil.example",
  "//evil.example/user/",
  "/\\evil.example",
  "\\\\evil.example",
  "/\t/evil.example",
  "\t//evil.example",
  "/\n/evil.example",
  "/user/\r\nset-cookie: a=b",
  "/user/\u0000",
  "/user/\u00e9",
  "https://evil.example/user/",
  "javascript:alert(1)",
  "/user/../external/api/v1/iot/pairing",
  "/user/%2e%2e/external/api/v1/iot/pairing",
  "/user/..//evil.example",
  "/external/api/v1/iot/teleprinter/poll",
  "/user",
  `/user/${"a".repeat(2000)}`,
])("%j leads elsewhere, and is not followed", (to) => {
  expect(localPath(to, "/home")).toBe("/home");
});
