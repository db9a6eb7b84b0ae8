export { createNatsBus } from "./bus.ts";
export type { NatsBusOptions } from "./options.ts";
