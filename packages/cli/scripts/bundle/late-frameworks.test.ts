import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { lateNames } from "./late-frameworks.ts";

const packages = fileURLToPath(new URL("../../../", import.meta.url));

/** The values that a source file imports of a module, in the form `module name`. */
function importsIn(source: string): string[] {
  return source
    .matchAll(/^import (?!type )([^;]+) from "([^"]+)";$/gmv)
    .flatMap(([, clause = "", module = ""]) => {
      if (!(module in lateNames)) return [];
      const [, first = "", inBraces = ""] = /^(\w*),? ?(?:\{([^\}]*)\})?$/v.exec(clause) ?? [];
      const names = inBraces.split(",").map((name) => name.trim());
      const values = names.filter((name) => name !== "" && !name.startsWith("type "));
      return [...(first === "" ? [] : ["default"]), ...values].map((name) => `${module} ${name}`);
    })
    .toArray();
}

it("the bundle provides each name that Telex imports of a framework, and no other", () => {
  const files = globSync("{http,ws}/src/**/*.ts", { cwd: packages }).filter((file) => !file.endsWith(".test.ts"));
  const used = new Set(files.flatMap((file) => importsIn(readFileSync(`${packages}${file}`, "utf8"))));
  const provided = Object.entries(lateNames).flatMap(([module, names]) => names.map((name) => `${module} ${name}`));
  expect([...used].toSorted()).toEqual(provided.toSorted());
});
