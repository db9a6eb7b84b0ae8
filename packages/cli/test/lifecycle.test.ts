import { existsSync } from "node:fs";
import { readdir, rm, truncate } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openTarget } from "../src/transfer/ends.ts";
import { answer, refusal } from "test-support/answers";
import { fillFolder } from "test-support/filled";
import { at } from "test-support/json";
import { folder, serve, telex } from "test-support/command";
import { loadConfig } from "../src/settings/load.ts";

const urlOf = (data: string): string => `sqlite:${join(data, "telex.db")}`;

describe("a copy that was killed right after its target appeared", () => {
  it("leaves a database that nothing opens, and goes on from the beginning", async () => {
    const [from, to] = [await folder(), await folder()];
    await fillFolder(from);
    const config = await loadConfig({ cwd: to, env: {}, flags: {}, file: undefined });
    const target = await openTarget(config, { url: urlOf(to), data: null, blobs: null });
    expect(existsSync(join(to, "telex.db"))).toBe(true);
    await target.close();

    for (const command of [
      ["user", "list"],
      ["serve", "--port", "0"],
    ]) {
      expect(await refusal([...command, "--data", to])).toMatchObject({ error: "storage_incomplete" });
    }
    const copied = await answer(["migrate", "copy", "--from", urlOf(from), "--to", urlOf(to)]);
    expect(at(copied, "resumed")).toBe(false);
    expect((await telex(["user", "list", "--data", to])).code).toBe(0);
  });
});

describe("the files of an installation without its database", () => {
  it.each([
    ["is empty", (file: string) => truncate(file, 0)],
    ["is missing", (file: string) => rm(file)],
  ])("are not taken for a new one when the database %s", async (what, lose) => {
    const data = await folder();
    await fillFolder(data);
    for (const name of await readdir(data)) if (/-(wal|shm)$/.test(name)) await rm(join(data, name));
    await lose(join(data, "telex.db"));
    const before = await readdir(data);
    for (const command of [
      ["serve", "--port", "0"],
      ["user", "add", "alice"],
    ]) {
      const refused = await refusal([...command, "--data", data]);
      expect(refused).toMatchObject({ error: "storage_lost", msg: expect.stringContaining(what) as unknown });
    }
    expect(await readdir(data)).toEqual(before);
  });

  it("are no matter where there are none", async () => {
    const data = await folder();
    const server = await serve([], { cwd: data });
    expect(await server.stop()).toBe(0);
  });
});

// Node's recursive mkdir never ends there.
describe.runIf(existsSync("/proc/self"))("a storage that cannot be made", () => {
  it.each([
    ["--storage", "sqlite:/proc/telex-test/data/telex.db"],
    ["--data", "/proc/telex-test/data"],
  ])("is refused immediately (%s)", async (flag, value) => {
    const data = await folder();
    const { code, stderr } = await telex(["serve", "--port", "0", flag, value], { cwd: data });
    expect(code).not.toBe(0);
    expect(stderr).toContain("/proc/telex-test");
  });
});
