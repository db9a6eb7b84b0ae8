export type { Pixels } from "./images/area.ts";
export type { Algo, TextOptions } from "./images/engine.ts";
export { styleOf } from "./images/styles.ts";
export type { StyleOptions } from "./images/styles.ts";
export { linesOf, textOf } from "./images/text.ts";
