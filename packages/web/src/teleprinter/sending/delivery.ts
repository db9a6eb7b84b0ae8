import type { Delivery } from "../../outbox/outgoing-list.ts";
import type { LifeName } from "./texts.ts";

/** How a text is to be delivered, as it is chosen in the form. */
export interface Chosen {
  readonly title: string;
  /** 1 to 5. */
  readonly priority: number;
  readonly life: LifeName;
  /** The date and time of the person's zone, as the browser writes them; empty for now. */
  readonly at: string;
}

/** A text is delivered now, as any other. */
export const usual: Chosen = { title: "", priority: 3, life: "endless", at: "" };

/** Seconds. */
const lives: Readonly<Record<LifeName, number | null>> = {
  endless: null,
  minutes: 600,
  hour: 3600,
  day: 86_400,
  week: 604_800,
};

/** The choices of how long a text may wait. */
export const lifeNames: readonly LifeName[] = ["endless", "minutes", "hour", "day", "week"];

/** Seconds of a choice; null for a text that does not expire. */
export const secondsOf = (life: LifeName): number | null => lives[life];

/** The choice for so many seconds, or the shortest one that is not shorter. */
export const lifeOf = (seconds: number | undefined): LifeName =>
  seconds === undefined ? "endless" : (lifeNames.find((name) => (lives[name] ?? 0) >= seconds) ?? "week");

/** The choices that differ from the usual ones, as the server takes them. */
export function deliveryOf({ title, priority, life, at }: Chosen): Delivery {
  const seconds = lives[life];
  return {
    ...(title.trim() !== "" && { title: title.trim() }),
    ...(priority !== usual.priority && { priority }),
    ...(seconds !== null && { life: seconds }),
    ...(at !== "" && { at: new Date(at).toISOString() }),
  };
}
