const quote = 0x22;
const backslash = 0x5c;

/** The index after the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === backslash) index += 1;
    else if (unit === quote) return index + 1;
  }
  return text.length;
}

/** True if a string in its source form is this name. Each character may be escaped. */
function isNamed(written: string, name: string): boolean {
  if (written === `"${name}"`) return true;
  return written.includes("\\") && written.length <= 6 * name.length + 2 && JSON.parse(written) === name;
}

/**
 * The source text of a number in a JSON object, because parsing rounds large numbers and shortens `1.0`. Reads the text once,
 * without a call for each value.
 * @param text a JSON object that has been parsed
 * @param name the name of a field of the object itself
 * @returns undefined if there is no such field, or if its last value is not a number
 */
export function numberSource(text: string, name: string): string | undefined {
  const member = /\s*:\s*(-?\d[-+.\deE]*)?/y;
  let depth = 0;
  let source: string | undefined;
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index];
    if (char === "{" || char === "[") depth += 1;
    else if (char === "}" || char === "]") depth -= 1;
    else if (char === '"') {
      const end = endOfString(text, index);
      member.lastIndex = end;
      const match = depth === 1 && isNamed(text.slice(index, end), name) ? member.exec(text) : null;
      if (match !== null) source = match[1];
      index = end - 1;
    }
  }
  return source;
}
