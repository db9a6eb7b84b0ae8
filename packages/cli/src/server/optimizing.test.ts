import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const file = JSON.stringify(new URL("optimizing.ts", import.meta.url).href);

/** Prints whether V8 has optimized a function that runs often: with optimizing postponed, and afterwards. */
const program = `
  import { setImmediate } from "node:timers/promises";
  const { beginOptimizing, postponeOptimizing } = await import(${file});
  const add = (one, other) => one + other;
  const isOptimized = async () => {
    for (let tick = 0; tick < 200; tick += 1) {
      for (let call = 0; call < 10_000; call += 1) add(call, tick);
      if (%ActiveTierIsMaglev(add) || %ActiveTierIsTurbofan(add)) return true;
      await setImmediate();
    }
    return false;
  };
  postponeOptimizing();
  const before = await isOptimized();
  beginOptimizing();
  console.log(before, await isOptimized());`;

async function optimized(...flags: readonly string[]): Promise<string> {
  const args = ["--allow-natives-syntax", ...flags, "--input-type=module", "-e", program];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return stdout.trim();
}

describe("postponeOptimizing", () => {
  it("keeps V8 from optimizing until beginOptimizing", async () => {
    expect(await optimized()).toBe("false true");
  });

  it("leaves flags of the operator alone", async () => {
    expect(await optimized("--no-opt", "--no-maglev")).toBe("false false");
  });
});
