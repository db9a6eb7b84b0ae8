/** The value of a text that may be JSON, or undefined. */
export function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The number of a field named `id`, or whose name ends with `Id`, written as a float, with an exponent or as `-0`, and
 * what is before it. A quote with `d` before it ends a name: within a text it would have a backslash. A name can be
 * escaped.
 */
const oddId =
  /((?:"(?:i|\\u0069)|I|\\u0049)(?:d|\\u0064)"\s*:\s*)(-?(?:0|[1-9]\d*)(?:\.\d+(?:[eE][+-]?\d+)?|[eE][+-]?\d+)|-0)(?=\s*[,}])/g;

/** A cheap test for texts that may contain such a number. Most contain none, and this takes half the time. */
const oddNumber = /\d[.Ee]|-0/;

/** Written in place of such a number: it is above every double, so that it becomes `Infinity`. */
const noId = "1e999";

/**
 * Parses the JSON of a request. An id that is written as a float or with an exponent, such as `1.0` or `1e0`, becomes
 * `Infinity`, which every schema rejects: as a number it could not be told from a right one, and as a text it would be one.
 * The cost is that of `JSON.parse` and one search, whatever the text: a reviver, which is called for every value, would cost
 * 30 times that.
 * @throws SyntaxError
 */
export function parseJson(text: string): unknown {
  return JSON.parse(oddNumber.test(text) ? text.replace(oddId, `$1${noId}`) : text);
}
