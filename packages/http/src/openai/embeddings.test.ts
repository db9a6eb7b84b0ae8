import { expect, it } from "vitest";
import { bodyOf } from "./embeddings.ts";

it("others have their turns while many vectors are written, however fast they are read", async () => {
  const vectors = Array.from({ length: 50 }, () => new Float32Array(16_384));
  const output = { model: "m", vectors, usage: { promptTokens: 1, estimated: false } };
  const order: string[] = [];
  setImmediate(() => order.push("another"));
  const chunks: Uint8Array[] = [];
  for await (const chunk of bodyOf({ output, format: "float" })) chunks.push(chunk);
  order.push("the vectors");
  expect(order).toEqual(["another", "the vectors"]);
  expect(JSON.parse(Buffer.concat(chunks).toString())).toMatchObject({ model: "m", usage: { prompt_tokens: 1 } });
});
