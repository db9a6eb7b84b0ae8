import type { Language } from "./language.ts";
import type { Texts } from "./texts.ts";

/** How times are written in a language, in the viewer's zone. All take Unix milliseconds. */
export interface Format {
  /** `08:15` */
  readonly time: (at: number) => string;
  /** `Friday, 20 November 2026` */
  readonly day: (at: number) => string;
  /** `20 Nov 2026, 08:15` */
  readonly date: (at: number) => string;
  /** Date and time in full, with the zone. */
  readonly full: (at: number) => string;
  /** `3 minutes ago` */
  readonly ago: (at: number, now: number) => string;
}

const minute = 60_000;
const steps = [
  { unit: "day", length: 24 * 60 * minute },
  { unit: "hour", length: 60 * minute },
  { unit: "minute", length: minute },
] as const;

/** The ways of writing times in a language. */
export function createFormat(language: Language, { justNow }: Pick<Texts, "justNow">): Format {
  const time = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const day = new Intl.DateTimeFormat(language, { weekday: "long", day: "numeric", month: "long", year: "numeric" });
  const date = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" });
  const full = new Intl.DateTimeFormat(language, { dateStyle: "full", timeStyle: "long" });
  const ago = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  return {
    time: (at) => time.format(at),
    day: (at) => day.format(at),
    date: (at) => date.format(at),
    full: (at) => full.format(at),
    ago(at, now) {
      const past = Math.max(0, now - at);
      const step = steps.find(({ length }) => past >= length);
      return step === undefined ? justNow : ago.format(-Math.floor(past / step.length), step.unit);
    },
  };
}
