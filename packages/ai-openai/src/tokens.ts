import { LRUCache } from "lru-cache";

/** Counts the tokens of texts as the models of OpenAI do. For other models the result is an estimate. */
export interface TokenCounter {
  /** A rough estimate until {@link TokenCounter.ready} has resolved. */
  count(text: string): number;
  /** Loads the tokenizer (about 200 ms and 70 MB) on the first call. */
  ready(): Promise<void>;
}

/**
 * UTF-16 units that are counted in full. The time of byte pair encoding grows with the square of a run of letters, so longer
 * texts are sampled. Otherwise one text could block the server.
 */
const wholeLength = 1024;
const sampleLength = 512;
const samples = 4;

const cacheEntries = 2000;
const cacheUnits = 4_000_000;

type Encode = (text: string) => number;

async function loadTokenizer(): Promise<Encode> {
  const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
  // Control tokens in a text count as ordinary text.
  const options = { disallowedSpecial: new Set<string>() };
  return (text) => countTokens(text, options);
}

/** Four bytes for each token: right for English, and close for other languages. */
const roughly: Encode = (text) => Math.ceil(Buffer.byteLength(text) / 4);

function estimate(text: string, encode: Encode): number {
  if (text.length <= wholeLength) return encode(text);
  const step = (text.length - sampleLength) / (samples - 1);
  const starts = Array.from({ length: samples }, (_, index) => Math.floor(index * step));
  const counted = starts.reduce((sum, start) => sum + encode(text.slice(start, start + sampleLength)), 0);
  return Math.ceil((counted * text.length) / (samples * sampleLength));
}

/** Creates a counter with a cache, because each new turn counts the earlier turns of its conversation again. */
export function createTokenCounter(): TokenCounter {
  const counts = new LRUCache<string, number>({
    max: cacheEntries,
    maxSize: cacheUnits,
    sizeCalculation: (_, text) => text.length + 1,
  });
  let encode: Encode | null = null;
  let loading: Promise<void> | null = null;
  const load = async (): Promise<void> => {
    encode = await loadTokenizer();
  };
  const ready = (): Promise<void> => (loading ??= load());
  return {
    ready,
    count(text) {
      if (encode === null) {
        ready().catch(() => {});
        return roughly(text);
      }
      const count = counts.get(text) ?? estimate(text, encode);
      counts.set(text, count);
      return count;
    },
  };
}
