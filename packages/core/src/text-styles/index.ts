export type { Pixels } from "../images/area.ts";
export type { Algo, TextOptions } from "../images/engine.ts";
export { columnsWithin, linesOf } from "../images/lines.ts";
export { textOf } from "../images/text.ts";
export type { ColourDepth } from "./paint.ts";
export { styleOf } from "./styles.ts";
export type { StyleOptions } from "./styles.ts";
