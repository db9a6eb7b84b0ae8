import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { reference } from "./index.ts";

it("the file of Scalar is the one whose digest the README names", async () => {
  const bytes = await reference.files["scalar.js"]?.read();
  const digest = createHash("sha256")
    .update(bytes ?? "")
    .digest("hex");
  expect(await readFile(new URL("../README.md", import.meta.url), "utf8")).toContain(digest);
});

it("a base path cannot end the element that carries the options", () => {
  const page = reference.render({ basePath: "", documents: ["/</script><script>alert(1)</script>.json"] });
  expect(page.match(/<script/g)).toHaveLength(3);
});
