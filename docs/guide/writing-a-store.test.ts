import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");

it("shows the test of the memory store as it is", () => {
  const page = read("writing-a-store.md");
  expect(page).toContain(`\`\`\`ts\n${read("../../packages/storage-memory/test/conformance.test.ts")}\`\`\`\n`);
});

it("names every property of a subject, and every tool", () => {
  const page = read("writing-a-store.md");
  const source = read("../../packages/conformance/src/support/case.ts");
  const [subject = ""] = /interface StorageSubject \{[^]*?\n\}/.exec(source) ?? [];
  const properties = Array.from(subject.matchAll(/^ {2}(?:readonly )?(\w+)[?(:]/gm), ([, name]) => name);
  expect(properties.length).toBeGreaterThan(3);
  for (const name of properties) expect(page).toContain(`\`${name}\``);
  for (const name of ["withLatency", "withFaults", "intercept", "storageCases", "blobCases"])
    expect(page).toContain(name);
});
