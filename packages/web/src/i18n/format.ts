import type { Language } from "./language.ts";
import type { Texts } from "./texts.ts";

/** Formats times in a language, in the viewer's time zone. All functions take Unix milliseconds. */
export interface Format {
  /** `08:15` */
  readonly time: (at: number) => string;
  /** `Friday, 20 November 2026` */
  readonly day: (at: number) => string;
  /** `20 Nov 2026, 08:15` */
  readonly date: (at: number) => string;
  /** Date and time in full, with the zone. */
  readonly full: (at: number) => string;
  /** `08:15` today, `Fri` within a week, `20 Nov` before. */
  readonly recent: (at: number, now: number) => string;
  /** `3 minutes ago` */
  readonly ago: (at: number, now: number) => string;
}

const minute = 60_000;
/** The time for which a weekday is unambiguous, in milliseconds. On the seventh day it would be that of today. */
const week = 6 * 24 * 60 * minute;
const steps = [
  { unit: "day", length: 24 * 60 * minute },
  { unit: "hour", length: 60 * minute },
  { unit: "minute", length: minute },
] as const;

function writer(language: Language, options: Intl.DateTimeFormatOptions): (at: number) => string {
  const format = new Intl.DateTimeFormat(language, options);
  return (at) => format.format(at);
}

export function createFormat(language: Language, { justNow }: Pick<Texts, "justNow">): Format {
  const ago = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  const time = writer(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const weekday = writer(language, { weekday: "short" });
  const dayOfMonth = writer(language, { day: "numeric", month: "short" });
  return {
    time,
    day: writer(language, { weekday: "long", day: "numeric", month: "long", year: "numeric" }),
    date: writer(language, { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" }),
    full: writer(language, { dateStyle: "full", timeStyle: "long" }),
    recent(at, now) {
      if (new Date(at).toDateString() === new Date(now).toDateString()) return time(at);
      return now - at < week ? weekday(at) : dayOfMonth(at);
    },
    ago(at, now) {
      const past = Math.max(0, now - at);
      const step = steps.find(({ length }) => past >= length);
      return step === undefined ? justNow : ago.format(-Math.floor(past / step.length), step.unit);
    },
  };
}
