type Version = readonly [major: number, minor: number, patch: number];

function read(written: string): Version {
  const [major = 0, minor = 0, patch = 0] = written.split(".").map(Number);
  return [major, minor, patch];
}

const atLeast = (version: Version, least: Version): boolean => {
  const at = version.findIndex((part, index) => part !== least[index]);
  return at === -1 || (version[at] ?? 0) > (least[at] ?? 0);
};

/** True if a version is in a range of the forms that `engines` uses here: `^24.15.0`, `>=26.10.0`, joined by `||`. */
export function satisfies(version: string, range: string): boolean {
  const installed = read(version);
  return range.split("||").some((part) => {
    const [, sign, least = ""] = /^\s*(\^|>=)\s*([\d.]+)\s*$/.exec(part) ?? [];
    if (sign === undefined) return part.trim() === "*";
    return atLeast(installed, read(least)) && (sign === ">=" || installed[0] === read(least)[0]);
  });
}
