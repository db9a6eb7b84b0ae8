const names: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bChrom(?:e|ium)\/|\bHeadlessChrome\/|\bCriOS\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

const systems: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bAndroid\b/, "Android"],
  [/\biPhone\b|\biPad\b/, "iOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

const find = (list: typeof names, text: string): string | undefined =>
  list.find(([pattern]) => pattern.test(text))?.[1];

/** The name of a browser as its owner recognizes it, such as `Firefox on Linux`; `another program` if nothing is known. */
export function browserName(userAgent: string | null): string {
  const text = (userAgent ?? "").slice(0, 512);
  const name = find(names, text);
  const system = find(systems, text);
  if (name === undefined) return system ?? "another program";
  return system === undefined ? name : `${name} on ${system}`;
}
