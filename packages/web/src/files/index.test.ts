import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pages } from "./index.ts";

test("the built files are at the reported path", () => {
  expect(existsSync(join(pages.directory, pages.fallback))).toBe(true);
  expect(existsSync(join(pages.directory, pages.immutable))).toBe(true);
});

test("the policy allows only resources of the same origin", () => {
  const sources = pages.contentSecurityPolicy.split("; ").map((directive) => directive.split(" ").slice(1).join(" "));
  expect(new Set(sources)).toEqual(new Set(["'none'", "'self'", "'script'", "telex dompurify"]));
});
