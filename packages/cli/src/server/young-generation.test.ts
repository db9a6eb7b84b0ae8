import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const mib = 2 ** 20;
const file = JSON.stringify(new URL("young-generation.ts", import.meta.url).href);

/**
 * Allocates 10 million objects, of which 100,000 are alive at a time, in a process that begins as `telex` does. Prints the largest young
 * generation. Without a limit it reaches 52 MiB, unless other programs keep the processors busy.
 */
const program = (prepare: string): string => `
  import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
  import { setImmediate } from "node:timers/promises";
  setFlagsFromString("--semi-space-growth-factor=1");
  ${prepare}
  const live = Array.from({ length: 20 });
  let most = 0;
  for (let part = 0; part < 2000; part += 1) {
    live[part % live.length] = Array.from({ length: 5000 }, (_, index) => ({ part, index, text: "" }));
    await setImmediate();
    for (const space of getHeapSpaceStatistics())
      if (space.space_name === "new_space") most = Math.max(most, space.space_size);
  }
  console.log(most);
  process.exit(0);`;

async function largestYoung(prepare: string): Promise<number> {
  // Parallel threads of the collection depend on the load of the machine.
  const flags = ["--no-parallel-scavenge", "--input-type=module"];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, "-e", program(prepare)]);
  return Number(stdout) / mib;
}

describe("growYoungGeneration", () => {
  it("lets the young generation grow under load, and not above its limit", async () => {
    const [kept, grown] = await Promise.all([
      largestYoung(""),
      largestYoung(`(await import(${file})).growYoungGeneration();`),
    ]);
    expect(kept).toBeLessThan(16);
    expect(grown).toBeGreaterThanOrEqual(16);
    expect(grown).toBeLessThan(40);
  });
});
