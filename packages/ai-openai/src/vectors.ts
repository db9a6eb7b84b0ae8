import { endianness } from "node:os";
import { createPause, mostNumbers } from "./embedding-body.ts";
import { field, jsonOf } from "./fields.ts";
import { ServiceError } from "./service-error.ts";

const wrong = (what: string): ServiceError => new ServiceError(`The AI service sent ${what}.`);

const isNumbers = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.every((one) => typeof one === "number");

/** Decodes a vector from base64: little-endian 32-bit floats. */
function decode(text: string): Float32Array {
  const bytes = Buffer.from(text, "base64");
  if (bytes.length % 4 !== 0) throw wrong("a vector that is not base64 of 32-bit numbers");
  if (endianness() === "BE") bytes.swap32();
  const vector = new Float32Array(bytes.length / 4);
  new Uint8Array(vector.buffer).set(bytes);
  return vector;
}

/** Reads a list of numbers, which services without base64 send. */
function numbersOf(embedding: unknown): Float32Array {
  if (typeof embedding === "string") return decode(embedding);
  if (!isNumbers(embedding)) throw wrong("a vector that is not a list of numbers");
  return Float32Array.from(embedding);
}

function vectorOf(embedding: unknown): Float32Array {
  const numbers = numbersOf(embedding);
  if (numbers.length === 0 || numbers.length > mostNumbers) throw wrong(`a vector of ${numbers.length} numbers`);
  return numbers;
}

/**
 * The vectors in the `data` of a response, in the order of the inputs.
 * @param texts the JSON of each vector, by the number that stands for it in `data`
 * @throws ServiceError if there is not exactly one for each input
 */
export async function vectorsOf(data: unknown, texts: readonly string[], count: number): Promise<Float32Array[]> {
  if (!Array.isArray(data)) throw wrong("a response without vectors");
  if (data.length !== count) throw wrong(`${data.length} vectors for ${count} texts`);
  const vectors = new Map<unknown, Float32Array>();
  const pause = createPause();
  const items: readonly unknown[] = data;
  for (const [at, item] of items.entries()) {
    const embedding = field(item, "embedding");
    const text = typeof embedding === "number" ? (texts[embedding] ?? "") : "";
    await pause(text);
    // Services that omit the index send the vectors in order.
    vectors.set(field(item, "index") ?? at, vectorOf(jsonOf(text)));
  }
  return Array.from({ length: count }, (_, index) => {
    const vector = vectors.get(index);
    if (vector === undefined) throw wrong(`no vector for the text ${index}`);
    return vector;
  });
}
