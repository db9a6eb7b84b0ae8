import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { answer } from "test-support/answers";
import { folder, serve } from "test-support/command";
import { contentsOf } from "./compare.ts";
import { releases, unpack } from "./releases.ts";

const manifest = fileURLToPath(new URL("../../packages/core/package.json", import.meta.url));

it("the current version was recorded: if not, run tests/upgrade/record.ts after a build", () => {
  const [, version] = /"version": "([^"]+)"/.exec(readFileSync(manifest, "utf8")) ?? [];
  expect(releases).toContain(version);
});

/** The files of a version in a new folder, and the contents of its export. */
async function recorded(version: string) {
  const place = await folder();
  unpack(version, place);
  return { place, before: contentsOf(join(place, "export")) };
}

async function exported(data: string) {
  const target = join(await folder(), "export");
  await answer(["export", target, "--data", data]);
  return contentsOf(target);
}

describe.each(releases)("what %s has written", (version) => {
  it("is all there in its data folder, on which a server starts", async () => {
    const { place, before } = await recorded(version);
    const data = join(place, "data");
    // Records may have gained fields since then.
    expect(await exported(data)).toMatchObject(before);
    const server = await serve(["--data", data]);
    const response = await fetch(`${server.url}/readyz`);
    expect([response.status, await server.stop()]).toEqual([200, 0]);
  });

  it("is imported from its export", async () => {
    const { place, before } = await recorded(version);
    const data = await folder();
    await answer(["import", join(place, "export"), "--data", data]);
    expect(await exported(data)).toMatchObject(before);
  });

  it("is restored from its backup", async () => {
    const { place, before } = await recorded(version);
    const data = join(await folder(), "data");
    await answer(["restore", join(place, "backup"), "--data", data]);
    expect(await exported(data)).toMatchObject(before);
  });
});
