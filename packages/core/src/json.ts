const isIdName = (name: string): boolean => name === "id" || name.endsWith("Id");

/** An id that is not written in digits alone is none. As a number it could not be told from a right one. */
function refuseIds(name: string, value: unknown, context?: { readonly source?: string }): unknown {
  const isWrong = typeof value === "number" && isIdName(name) && !/^-?\d+$/.test(context?.source ?? "0");
  return isWrong ? Number.NaN : value;
}

/**
 * JSON as requests bring it: an id that is written as a float or with an exponent, such as `1.0` or `1e0`, becomes `NaN`,
 * which no schema takes.
 * @throws SyntaxError
 */
export function parseJson(text: string): unknown {
  if (!/\d[.eE]/.test(text)) return JSON.parse(text);
  try {
    return JSON.parse(text, refuseIds);
  } catch {
    // A visit to every value can run out of stack where plain parsing does not.
    return JSON.parse(text);
  }
}
