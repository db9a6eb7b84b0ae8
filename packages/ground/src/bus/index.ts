export type { Bus, BusMember } from "./bus.ts";
export { dispatch } from "./events.ts";
export type { EventOf } from "./events.ts";
export { createBusLink } from "./link.ts";
export type { BusLink } from "./link.ts";
export { createLocalBusOf } from "./local.ts";
export { topics } from "./topics.ts";
export type { Following, TopicsOf } from "./topics.ts";
