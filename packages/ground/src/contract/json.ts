/** The value of a text that may be JSON, or undefined. */
export function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The number of a field named `id`, or with a name that ends with `Id`, written as a float, with an exponent or as `-0`, and
 * the part before it. A quote after `d` ends a name, because within a text it would have a backslash. Names can be escaped.
 */
const oddId =
  /((?:"(?:i|\\u0069)|I|\\u0049)(?:d|\\u0064)"\s*:\s*)(-?(?:0|[1-9]\d*)(?:\.\d+(?:[eE][+-]?\d+)?|[eE][+-]?\d+)|-0)(?=\s*[,}])/g;

/** A cheap test for texts that may contain such a number. Most texts contain none, and then parsing takes half the time. */
const oddNumber = /\d[.Ee]|-0/;

/** Replaces such a number. It is above every double, so it becomes `Infinity`. */
const noId = "1e999";

/**
 * Parses the JSON of a request. An id that is written as a float or with an exponent, such as `1.0` or `1e0`, becomes
 * `Infinity`, which every schema rejects: as a number it would look like a valid id, and as a text it would be one.
 * The cost is that of `JSON.parse` and one search for any text. A reviver, which is called for every value, would cost
 * 30 times as much.
 * @throws SyntaxError
 */
export function parseJson(text: string): unknown {
  return JSON.parse(oddNumber.test(text) ? text.replace(oddId, `$1${noId}`) : text);
}
