import { nextTick } from "@telex/core/transport";
import { ServiceError } from "./service-error.ts";

/** Maximum numbers of a vector. */
export const mostNumbers = 16_384;
/** Bytes of a number in a list, with its comma. */
export const numberBytes = 25;
/** Bytes of a response in addition to its vectors, and those of each vector in addition to its numbers. */
export const overhead = { response: 65_536, vector: 256 } as const;

/** Vectors above the number of texts from which on they are not counted. */
const surplus = 16;
/** Characters of vectors that are read in one tick. */
const perTick = 500_000;

/** The beginning of a vector: a list, or base64. */
const beginning = /"embedding"\s{0,9}:\s{0,9}(?=["[])/g;

/** A response whose vectors are replaced by their positions in `vectors`, each of which is JSON. */
interface SplitBody {
  readonly rest: string;
  readonly vectors: readonly string[];
}

const tooLarge = (): ServiceError => new ServiceError("The AI service sent a response that is too large.");

/**
 * Takes the vectors out of a response, because parsing all of them together would block other requests.
 * @throws ServiceError if a vector, or everything else, is too long
 */
export function splitBody(text: string, count: number): SplitBody {
  const vectors: string[] = [];
  let [rest, end] = ["", 0];
  for (const { 0: head, index } of text.matchAll(beginning)) {
    if (index < end) continue;
    const start = index + head.length;
    const close = text.indexOf(text[start] === "[" ? "]" : '"', start + 1);
    if (close < 0 || close - start > mostNumbers * numberBytes || vectors.length > count + surplus) throw tooLarge();
    rest += `${text.slice(end, start)}${vectors.length}`;
    vectors.push(text.slice(start, close + 1));
    end = close + 1;
  }
  rest += text.slice(end);
  if (rest.length > overhead.response + overhead.vector * count) throw tooLarge();
  return { rest, vectors };
}

/** Waits for the next tick after each part of the vectors. */
export function createPause(): (vector: string) => Promise<void> {
  let read = 0;
  return async ({ length }) => {
    read += length;
    if (read < perTick) return;
    read = 0;
    await nextTick();
  };
}

/** Bytes of the responses that all callers hold together: two of the largest, or many others. */
const mostHeld = 128_000_000;

/** The bytes that a response holds. */
interface Held {
  /** @throws ServiceError if all responses hold too much */
  add(bytes: number): void;
  end(): void;
}

/** Bounds the memory of responses that arrive together. */
export function createHeldBytes(most: number = mostHeld): () => Held {
  let all = 0;
  return () => {
    let own = 0;
    return {
      add(bytes) {
        own += bytes;
        all += bytes;
        if (all > most) throw new ServiceError("Too many large responses arrive together.", { isTransient: true });
      },
      end() {
        all -= own;
        own = 0;
      },
    };
  };
}
