import type { Delivery } from "../../outbox/outgoing-list.ts";
import type { LifeName } from "./texts.ts";

/** The delivery options of a text. */
export interface Chosen {
  readonly title: string;
  /** 1 to 5. */
  readonly priority: number;
  readonly life: LifeName;
  /** The date and time in the local time zone, as the browser formats them. Empty for an immediate delivery. */
  readonly at: string;
}

/** The default options. */
export const usual: Chosen = { title: "", priority: 3, life: "endless", at: "" };

/** In seconds. */
const lives: Readonly<Record<LifeName, number | null>> = {
  endless: null,
  minutes: 600,
  hour: 3600,
  day: 86_400,
  week: 604_800,
};

export const lifeNames: readonly LifeName[] = ["endless", "minutes", "hour", "day", "week"];

/** The lifetime in seconds, or null for a text that does not expire. */
export const secondsOf = (life: LifeName): number | null => lives[life];

/** The choice for this lifetime, or the next longer one. */
export const lifeOf = (seconds: number | undefined): LifeName =>
  seconds === undefined ? "endless" : (lifeNames.find((name) => (lives[name] ?? 0) >= seconds) ?? "week");

/** The options that differ from the default, in the form that the server expects. */
export function deliveryOf({ title, priority, life, at }: Chosen): Delivery {
  const seconds = lives[life];
  return {
    ...(title.trim() !== "" && { title: title.trim() }),
    ...(priority !== usual.priority && { priority }),
    ...(seconds !== null && { life: seconds }),
    ...(at !== "" && { at: new Date(at).toISOString() }),
  };
}
