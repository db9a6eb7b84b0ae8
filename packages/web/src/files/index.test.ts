import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pages } from "./index.ts";

test("the files lie where they are said to, built before the tests", () => {
  expect(existsSync(join(pages.directory, pages.fallback))).toBe(true);
  expect(existsSync(join(pages.directory, pages.immutable))).toBe(true);
});

test("the policy allows only what comes from where the pages come from", () => {
  const sources = pages.contentSecurityPolicy.split("; ").map((directive) => directive.split(" ").slice(1).join(" "));
  expect(new Set(sources)).toEqual(new Set(["'none'", "'self'", "'script'", "telex dompurify"]));
});
