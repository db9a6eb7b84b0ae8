import { expect, it } from "vitest";
import { joinBytes } from "./join-bytes.ts";

const pieces = (...lengths: number[]): Uint8Array[] =>
  lengths.map((length, i) => Uint8Array.from({ length }, (_, at) => (at + 7 * i) % 251));

it.each([[[]], [[0, 3, 0, 5]], [[3_000_001]], [[1_048_576, 1_048_575, 2]], [[700_000, 700_000, 700_000]]])(
  "pieces of %j bytes become one array",
  async (lengths) => {
    const parts = pieces(...lengths);
    expect(Buffer.compare(await joinBytes(parts), Buffer.concat(parts))).toBe(0);
  },
);

it("other work runs during a large copy", async () => {
  let turns = 0;
  const count = (): void => {
    turns++;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  await joinBytes(pieces(10 * 1_048_576));
  clearImmediate(next);
  expect(turns).toBeGreaterThanOrEqual(9);
});

it("the result is a copy", async () => {
  const [piece = new Uint8Array()] = pieces(4);
  const joined = await joinBytes([piece]);
  joined.fill(9);
  expect([...piece]).toEqual([0, 1, 2, 3]);
});
