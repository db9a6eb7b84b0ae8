import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Spec, Validation } from "@cyclonedx/cyclonedx-library";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { sbomOf } from "../scripts/bundle/sbom.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const dist = fileURLToPath(new URL("../dist/", import.meta.url));
const text = readFileSync(`${dist}sbom.cdx.json`, "utf8");

const component = z.object({
  purl: z.string(),
  name: z.string(),
  version: z.string(),
  hashes: z.array(z.object({ alg: z.string(), content: z.string() })).optional(),
});
const { components, dependencies, metadata } = z
  .object({
    metadata: z.object({ component }),
    components: z.array(component),
    dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
  })
  .parse(JSON.parse(text));

const { packages } = z
  .object({ packages: z.record(z.string(), z.object({ resolution: z.object({ integrity: z.string() }) })) })
  .parse(parse(readFileSync(`${root}pnpm-lock.yaml`, "utf8")));

/** `name@version` of each package whose license comes with the bundle. */
const licensed = Array.from(
  readFileSync(`${dist}licenses.txt`, "utf8").matchAll(/^((?:@[\w.-]+\/)?[\w.-]+) (\d+\.\d+\.\d\S*) \(/gm),
  ([, name = "", version = ""]) => `${name}@${version}`,
);

const purlOf = (key: string): string => `pkg:npm/${key.replace(/^@/, "%40")}`;

describe("the list of components of the command", () => {
  it("is valid CycloneDX", async () => {
    expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)).toBeNull();
    const broken = text.replace('"type": "library"', '"type": "thing"');
    expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(broken)).not.toBeNull();
  });

  it("lists each package of the bundle and of the lockfile that is installed with it, with its digest", () => {
    const listed = new Map(components.map((one) => [one.purl, one]));
    expect(licensed.length).toBeGreaterThan(20);
    expect(licensed.filter((key) => !listed.has(purlOf(key)))).toEqual([]);
    for (const name of ["sharp", "mongodb", "preact", "undici", "@img/sharp-linux-arm64", "@telex/core"]) {
      expect(components.map(({ purl }) => purl.slice(0, purl.lastIndexOf("@")))).toContain(purlOf(name));
    }
    const foreign = Object.entries(packages).filter(([key]) => listed.has(purlOf(key)));
    expect(foreign.length).toBe(components.filter(({ purl }) => !purl.startsWith("pkg:npm/%40telex/")).length);
    for (const [key, { resolution }] of foreign) {
      const content = Buffer.from(resolution.integrity.replace("sha512-", ""), "base64").toString("hex");
      expect(listed.get(purlOf(key))?.hashes).toEqual([{ alg: "SHA-512", content }]);
    }
  });

  it("names each package once, and what each needs among them", () => {
    const refs = components.map(({ purl }) => purl);
    expect(new Set(refs).size).toBe(refs.length);
    expect(dependencies.map(({ ref }) => ref)).toEqual([metadata.component.purl, ...refs]);
    expect(dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !refs.includes(ref))).toEqual([]);
    const needed = new Map(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
    const sharp = refs.find((ref) => ref.startsWith("pkg:npm/sharp@")) ?? "";
    expect(needed.get(sharp)?.some((ref) => ref.startsWith("pkg:npm/%40img/sharp-linux-x64@"))).toBe(true);
  });

  it("is the same each time it is made, and says nothing of the machine", () => {
    const modules = ["core", "http"].map((name) => `${root}packages/${name}/src/index.ts`);
    expect(sbomOf(root, modules)).toBe(sbomOf(root, modules.toReversed()));
    expect(text).not.toContain(root);
    expect(text).not.toMatch(/timestamp|serialNumber/);
  });
});
