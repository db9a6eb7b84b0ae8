import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { answer, refusal } from "test-support/answers";
import { contentsOf, exportedOf, fillFolder } from "test-support/filled";
import { at } from "test-support/json";
import { finished, folder, start } from "test-support/command";

const amount = { messages: 5000, files: 30 };
const rounds = 10;

const urlOf = (data: string): string => `sqlite:${join(data, "telex.db")}`;
const stateOf = (data: string): string => `${join(data, "telex.db")}.transfer`;
const copyOf = (from: string, to: string): string[] => ["migrate", "copy", "--from", urlOf(from), "--to", urlOf(to)];

/** Runs a command and kills it when `due` resolves. False if it had ended before. */
async function isKilledAt(due: (ended: AbortSignal) => Promise<unknown>, args: readonly string[]): Promise<boolean> {
  const child = start([...args, "--json"]);
  const ended = new AbortController();
  const killed = due(ended.signal).then(
    () => child.kill("SIGKILL"),
    () => false,
  );
  const { code } = await finished(child);
  ended.abort();
  await killed;
  return code === null;
}

/** Runs a command that usually takes `duration` ms and kills it at a random time. False if it had ended before. */
const isKilled = async (args: readonly string[], duration: number): Promise<boolean> =>
  await isKilledAt(
    async (signal) => await setTimeout(duration * (0.2 + 0.8 * Math.random()), undefined, { signal }),
    args,
  );

/** Runs a copy and kills it as soon as it has noted progress. False if it had ended before. */
const isKilledOnTheWay = async (data: string, target: string): Promise<boolean> =>
  await isKilledAt(
    async (signal) => {
      while (!existsSync(stateOf(target))) await setTimeout(1, undefined, { signal });
    },
    copyOf(data, target),
  );

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

describe("what is killed again and again", { timeout: 180_000 }, () => {
  it("comes to the same in the end: a copy", async () => {
    const data = await folder();
    await fillFolder(data, amount);
    const before = await contentsOf(data);
    const duration = await timeOf(async () => await answer(copyOf(data, await folder())));
    let goneOn = 0;
    const isThrough = async (target: string, round: number): Promise<boolean> => {
      // Random kills may come before the first progress, or after the end. Every second round has one that surely comes between.
      if (round % 2 === 0) return !(await isKilledOnTheWay(data, target));
      for (let kill = 0; kill < 2; kill += 1) if (!(await isKilled(copyOf(data, target), duration))) return true;
      return false;
    };
    for (let round = 0; round < rounds; round += 1) {
      const target = await folder();
      // A killed process may have just finished its work.
      const isEnded =
        (await isThrough(target, round)) || (existsSync(join(target, "blobs")) && !existsSync(stateOf(target)));
      if (!isEnded) goneOn += Number(at(await answer(copyOf(data, target)), "resumed"));
      expect(existsSync(stateOf(target))).toBe(false);
      expect(await contentsOf(target)).toEqual(before);
    }
    expect(goneOn).toBeGreaterThan(0);
  });

  it("is a whole backup or none", async () => {
    const [data, backups] = [await folder(), await folder()];
    await fillFolder(data, amount);
    const before = await contentsOf(data);
    const backup = (name: string): string[] => ["backup", join(backups, name), "--data", data];
    const duration = await timeOf(async () => await answer(backup("first")));
    for (let round = 0; round < rounds; round += 1) {
      await isKilled(backup("second"), duration);
      if (existsSync(join(backups, "second"))) break;
    }
    if (!existsSync(join(backups, "second"))) await answer(backup("second"));
    expect(await contentsOf(join(backups, "second"))).toEqual(before);
    expect((await readdir(backups)).toSorted()).toEqual(["first", "second"]);
  });

  it("comes to the same in the end: an export, and its import", async () => {
    const [data, target] = [await folder(), await folder()];
    const out = join(await folder(), "out");
    await fillFolder(data, amount);
    const before = await contentsOf(data);
    const duration = await timeOf(async () => await answer(["export", join(await folder(), "first"), "--data", data]));
    const isWhole = (): boolean => existsSync(join(out, "manifest.json"));
    for (let kills = 0; kills < rounds && !isWhole(); kills += 1) {
      await isKilled(["export", out, "--data", data], duration);
      if (!isWhole())
        expect(await refusal(["import", out, "--data", target])).toMatchObject({ error: "export_missing" });
    }
    if (!isWhole()) await answer(["export", out, "--data", data]);
    let isKept = true;
    for (let kills = 0; kills < rounds && isKept; kills += 1) {
      isKept = await isKilled(["import", out, "--data", target], duration);
      const isServed = await refusal(["user", "list", "--data", target]).then(
        ({ error }) => error !== "storage_incomplete",
        () => true,
      );
      expect(isServed).toBe(!existsSync(stateOf(target)));
    }
    if (existsSync(stateOf(target))) await answer(["import", out, "--data", target]);
    expect(exportedOf(await contentsOf(target))).toEqual(exportedOf(before));
  });
});
