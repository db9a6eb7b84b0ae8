export { createImplementation, textOf } from "./implementation.ts";
export type { Implementation, Seen } from "./implementation.ts";
export type { Frame } from "./tongues.ts";
export type { AcceptOptions } from "./wires.ts";
