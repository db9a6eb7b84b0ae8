export { systemClock } from "./clock.ts";
export type { Clock } from "./clock.ts";
export { repeat } from "./repeat.ts";
export { day, hour, minute, second } from "./units.ts";
export { createZone } from "./zone.ts";
export type { Day, Zone } from "./zone.ts";
