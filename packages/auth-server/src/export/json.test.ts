import { expect, it } from "vitest";
import { arrayOf, bytesOf, itemsOf, objectOf } from "./json.ts";

const page = (size: number) => {
  const fetched: number[] = [];
  const items = itemsOf<string, number>((cursor = 0) => {
    fetched.push(cursor);
    const next = cursor < 9 ? cursor + 1 : null;
    return Promise.resolve({ list: ["x".repeat(size)], next });
  });
  return { fetched, items };
};

async function all(chunks: AsyncIterable<Uint8Array>): Promise<readonly Uint8Array[]> {
  const read: Uint8Array[] = [];
  for await (const chunk of chunks) read.push(chunk);
  return read;
}

it("writes lists of any length, also empty ones, as JSON", async () => {
  const { items } = page(3);
  const pieces = objectOf({ id: 1 }, { none: arrayOf([]), some: arrayOf(items) });
  const text = new TextDecoder().decode(Buffer.concat(await all(bytesOf(pieces, () => undefined))));
  expect(JSON.parse(text)).toEqual({ id: 1, none: [], some: Array.from({ length: 10 }, () => "xxx") });
});

it("fetches a page only when the one before is taken, and no further one after its reader has gone", async () => {
  const { fetched, items } = page(20_000);
  for await (const chunk of bytesOf(arrayOf(items), () => undefined)) {
    expect(chunk.length).toBeLessThan(21_000);
    if (fetched.length === 2) break;
  }
  expect(fetched).toEqual([0, 1]);
});

it("is cut when it must not go on", async () => {
  const { fetched, items } = page(20_000);
  const goOn = () => {
    if (fetched.length === 3) throw new Error("cut");
  };
  await expect(all(bytesOf(arrayOf(items), goOn))).rejects.toThrow("cut");
  expect(fetched).toEqual([0, 1, 2]);
});
