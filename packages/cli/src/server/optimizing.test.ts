import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const file = JSON.stringify(new URL("optimizing.ts", import.meta.url).href);

/** Prints the compiler that has optimized a hot function: while optimization is postponed, and afterwards. */
const program = (memory: string): string => `
  import { setImmediate } from "node:timers/promises";
  const { beginOptimizing, postponeOptimizing } = await import(${file});
  const add = (one, other) => one + other;
  const firstCompiler = async () => {
    for (let tick = 0; tick < 2000; tick += 1) {
      for (let call = 0; call < 1000; call += 1) add(call, tick);
      if (%ActiveTierIsMaglev(add)) return "Maglev";
      if (%ActiveTierIsTurbofan(add)) return "TurboFan";
      await setImmediate();
    }
    return "none";
  };
  postponeOptimizing();
  const before = await firstCompiler();
  beginOptimizing(${JSON.stringify(memory)});
  console.log(before, await firstCompiler());`;

async function compilers(memory: string, ...flags: readonly string[]): Promise<string> {
  const args = ["--allow-natives-syntax", ...flags, "--input-type=module", "-e", program(memory)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return stdout.trim();
}

describe("postponeOptimizing", () => {
  it("keeps V8 from optimizing until beginOptimizing", async () => {
    expect(await compilers("normal")).toMatch(/^none (?:Maglev|TurboFan)$/);
  });

  it("leaves Maglev off where memory is short", async () => {
    expect(await compilers("small")).toBe("none TurboFan");
  });

  it("leaves flags of the operator alone", async () => {
    expect(await compilers("normal", "--no-opt", "--no-maglev")).toBe("none none");
  });
});
