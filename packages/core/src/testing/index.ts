export { createManualClock } from "./clock.ts";
export type { ManualClock } from "./clock.ts";
export { createLogCollector } from "./log.ts";
export type { LogCollector } from "./log.ts";
export { createScene } from "./scene.ts";
export type { Person, PersonOptions, RoomOptions, Scene } from "./scene.ts";
export { ticks, until } from "./ticks.ts";
export { createMemoryNetwork, textOfParts } from "./memory-network.ts";
export type { MemoryNetwork, MemoryNetworkOptions, NetworkMessageSent, NetworkMood } from "./memory-network.ts";
