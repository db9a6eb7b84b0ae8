import { expect, it } from "vitest";
import { bodyOf, createWaitingVectors } from "./embeddings.ts";

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

it("no more vectors are asked for while too many wait for callers who do not read them", async () => {
  const vectors = [new Float32Array(16)];
  const output = { model: "m", vectors, usage: { promptTokens: 1, estimated: false } };
  const waiting = createWaitingVectors({ user: 100, all: 150 });
  const refused: unknown = expect.objectContaining({ code: "ai_unavailable" });
  const bodies = [1, 1, 2].map((userId) => waiting.hold(userId, vectors, bodyOf({ output, format: "float" })));
  for (const body of bodies.slice(0, 2)) await body.next();
  expect(() => waiting.assertRoom(1)).toThrow(refused);
  waiting.assertRoom(2);
  await bodies[2]?.next();
  expect(() => waiting.assertRoom(3)).toThrow(refused);
  for (const body of bodies) await body.return(null);
  waiting.assertRoom(1);
});
