import { readFileSync } from "node:fs";
import { securityEvents } from "@telex/core";
import { expect, it } from "vitest";

it("every security event is explained to operators, and no other is", () => {
  const page = readFileSync(new URL("operating.md", import.meta.url), "utf8");
  const section = /## Security events\n(.*?)\n## /s.exec(page)?.[1] ?? "";
  const explained = [...section.matchAll(/^\| `([a-z]+\.[a-z]+)`/gm)].map(([, event]) => event);
  expect(explained).toEqual([...securityEvents]);
});
