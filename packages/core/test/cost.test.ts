import { beforeAll, describe, expect, it } from "vitest";
import { costBudget, costShare, cpuTimeOf, expensiveInputs } from "@telex/conformance";
import { parseInput, longestInput, parseJson, type Operation } from "@telex/ground/contract";
import { listOperations } from "../src/instance/contracts.ts";
import { teleprinterContract } from "../src/teleprinter/contract.ts";

const operations = listOperations().map(({ name, operation }) => [name, operation] as const);

/** Reads and checks a request. A refusal is an outcome like any other. */
function createReader(operation: Operation): (text: string) => void {
  return (text) => {
    try {
      parseInput(operation, parseJson(text));
    } catch {
      // The time of a refusal counts as well.
    }
  };
}

const plain = '{"deviceId":"kitchen-printer","content":"The kettle is on."}';

/** Microseconds of CPU for each byte of a plain request. */
async function plainTime(): Promise<number> {
  const read = createReader(teleprinterContract.send);
  const calls = 2000;
  const time = await cpuTimeOf(() => {
    for (let call = 0; call < calls; call += 1) read(plain);
  }, 20);
  return time / calls / plain.length;
}

const kib = 1024;
const most = 64 * kib;

describe("reading and checking", () => {
  let perByte = 0;
  beforeAll(async () => {
    perByte = await plainTime();
  });

  it.each(operations)("%s costs no more than 20 times a plain request, byte for byte", async (_name, operation) => {
    const read = createReader(operation);
    const bytes = Math.min(most, Math.max(16 * kib, longestInput(operation)));
    for (const { name, text } of expensiveInputs(operation, bytes)) {
      const share = await costShare(() => read(text), costBudget(text.length, perByte));
      expect({ name, share: share > 1 ? share : "below 1" }).toEqual({ name, share: "below 1" });
    }
  });
});
