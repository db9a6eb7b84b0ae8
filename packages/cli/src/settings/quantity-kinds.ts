import { type Kind, textOf } from "./kind.ts";

const units = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1000],
] as const;

/** A length of time such as `30s`, `15m`, `24h`, `90d`; the value is in milliseconds, at most 100 years. */
export const duration: Kind<number> = {
  expected: "a length of time such as 30s, 15m, 24h or 90d",
  placeholder: "<time>",
  parse(raw) {
    const [, digits = "", unit = ""] = /^([1-9]\d{0,10})([smhd])$/.exec(textOf(raw) ?? "") ?? [];
    const size = units.find(([name]) => name === unit)?.[1];
    const value = size === undefined ? Number.NaN : Number(digits) * size;
    return value <= 36_525 * 86_400_000 ? value : undefined;
  },
  show(value) {
    const [name, size] = units.find(([, length]) => value % length === 0) ?? ["ms", 1];
    return `${value / size}${name}`;
  },
};

const byteUnits = [
  ["GiB", 2 ** 30],
  ["MiB", 2 ** 20],
  ["KiB", 2 ** 10],
] as const;

/** A number of bytes such as `512MiB`, `1GiB`, or `0`. */
export const size: Kind<number> = {
  expected: "a number of bytes such as 512MiB, 1GiB or 0",
  placeholder: "<size>",
  parse(raw) {
    const [, digits = "", unit] = /^(0|[1-9]\d{0,15})([KMG]iB)?$/.exec(String(raw)) ?? [];
    const value = digits === "" ? Number.NaN : Number(digits) * (byteUnits.find(([name]) => name === unit)?.[1] ?? 1);
    return Number.isSafeInteger(value) ? value : undefined;
  },
  show(value) {
    const [name, unit] = byteUnits.find(([, bytes]) => value > 0 && value % bytes === 0) ?? ["", 1];
    return `${value / unit}${name}`;
  },
};

/** An IANA time zone that this machine knows. */
export const timeZone: Kind<string> = {
  expected: "an IANA time zone such as UTC or Asia/Shanghai",
  placeholder: "<zone>",
  parse(raw) {
    const zone = textOf(raw);
    return zone !== undefined && isTimeZone(zone) ? zone : undefined;
  },
  show: (value) => value,
};

function isTimeZone(zone: string): boolean {
  try {
    // `Intl` accepts a fixed offset such as +08:00, which is not an IANA zone.
    return (
      /^[A-Za-z]/.test(zone) && new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone !== ""
    );
  } catch {
    return false;
  }
}
