import { expect, it } from "vitest";
import { createHeldBytes, splitBody } from "./embedding-body.ts";
import { vectorsOf } from "./vectors.ts";

it("a response is split into its vectors and everything else", () => {
  const body = '{"data":[{"object":"embedding", "embedding" : [1, 2],"index":0},{"embedding":"AAAAAA=="}],"model":"m"}';
  expect(splitBody(body, 2)).toEqual({
    rest: '{"data":[{"object":"embedding", "embedding" : 0,"index":0},{"embedding":1}],"model":"m"}',
    vectors: ["[1, 2]", '"AAAAAA=="'],
  });
});

it.each([
  ["a vector without an end", '{"data":[{"embedding":[1,2', 1],
  ["a vector that is too long", `{"data":[{"embedding":[${"1,".repeat(300_000)}1]}]}`, 1],
  ["far too many vectors", '{"embedding":[1]},'.repeat(30), 2],
  ["much beside the vectors", `{"data":[${"{},".repeat(50_000)}{}]}`, 2],
])("a response with %s is not parsed", (_, body, count) => {
  expect(() => splitBody(body, count)).toThrow("a response that is too large");
});

it("others have their turns while many vectors are read", async () => {
  const text = JSON.stringify(Buffer.alloc(65_536).toString("base64"));
  const data = Array.from({ length: 20 }, () => ({ embedding: 0 }));
  const order: string[] = [];
  setImmediate(() => order.push("another"));
  await vectorsOf(data, [text], data.length);
  order.push("the vectors");
  expect(order).toEqual(["another", "the vectors"]);
});

it("responses that hold too much together are refused until others have ended", () => {
  const hold = createHeldBytes(100);
  const [first, second] = [hold(), hold()];
  first.add(60);
  expect(() => second.add(50)).toThrow("Too many large responses arrive together.");
  second.end();
  first.add(30);
  first.end();
  first.end();
  hold().add(100);
});
