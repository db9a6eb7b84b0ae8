export type { Pixels } from "./text/area.ts";
export type { Algo, TextOptions } from "@telex/files/images";
export { columnsWithin, linesOf } from "./text/lines.ts";
export { textOf } from "./text/text.ts";
export type { ColourDepth } from "./styles/paint.ts";
export { styleOf, type StyleOptions } from "./styles/styles.ts";
