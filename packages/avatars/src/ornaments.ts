import type { Palette } from "./palettes.ts";

/**
 * A shape in a cell: the distance of the point (u, v), each 0-1, from the shape, in cells; negative inside. (0, 0) is the corner
 * away from the middle of the picture, (1, 1) the one towards it.
 */
type Shape = (u: number, v: number) => number;

/** A shape in one of the colours. */
interface Layer {
  readonly shape: Shape;
  readonly colour: keyof Palette;
}

/** The layers of a cell, from the bottom up. */
export type Ornament = readonly Layer[];

type Choice = readonly [Ornament, ...Ornament[]];

// Not Math.hypot: the square root is exact on every machine, so that a picture is the same bytes everywhere.
const distance = (a: number, b: number): number => Math.sqrt(a * a + b * b);

const disc: Shape = (u, v) => distance(u - 0.5, v - 0.5) - 0.46;
const dot: Shape = (u, v) => distance(u - 0.5, v - 0.5) - 0.22;
const diamond: Shape = (u, v) => (Math.abs(u - 0.5) + Math.abs(v - 0.5) - 0.46) * Math.SQRT1_2;
const outer: Shape = (u, v) => distance(u, v) - 1;
const inner: Shape = (u, v) => distance(1 - u, 1 - v) - 1;
const left: Shape = (u, v) => distance(u, 1 - v) - 1;
const right: Shape = (u, v) => distance(1 - u, v) - 1;
const petal: Shape = (u, v) => Math.max(outer(u, v), inner(u, v));
const leaf: Shape = (u, v) => Math.max(left(u, v), right(u, v));
const star: Shape = (u, v) => -outer(u, v);
const ring: Shape = (u, v) => Math.abs(distance(1 - u, 1 - v) - 0.78) - 0.22;
const outerRing: Shape = (u, v) => Math.abs(distance(u, v) - 0.78) - 0.22;
const core: Shape = (u, v) => distance(1 - u, 1 - v) - 0.42;
const outerCore: Shape = (u, v) => distance(u, v) - 0.42;

const main = (shape: Shape): Layer => ({ shape, colour: "main" });
const second = (shape: Shape): Layer => ({ shape, colour: "second" });
const accent = (shape: Shape): Layer => ({ shape, colour: "accent" });

// No layer shares a border with the one below it: along a shared border a hair of the lower one would show.

/** For the four cells round the middle. */
export const centres: Choice = [
  [main(petal)],
  [main(outer)],
  [main(inner), second(star)],
  [main(inner), second(diamond)],
  [main(inner), accent(core)],
  [second(inner), main(star)],
  [main(ring), accent(core)],
  [main(ring), second(star)],
  [main(star), accent(core)],
  [main(leaf), accent(core)],
  [main(petal), accent(core)],
  [main(disc), accent(dot)],
];

/** For the other cells on the diagonals. */
export const corners: Choice = [
  [],
  [main(outer)],
  [main(inner)],
  [main(petal)],
  [main(diamond)],
  [second(disc)],
  [second(leaf)],
  [second(petal)],
  [second(outerRing)],
  [main(leaf)],
  [second(inner), main(star)],
  [second(inner), accent(dot)],
  [second(outer), accent(outerCore)],
  [main(disc), accent(dot)],
];

/** For cells next to the diagonals, where many of them stand together. */
export const quietEdges: Choice = [
  [second(left)],
  [second(right)],
  [second(leaf)],
  [second(petal)],
  [second(inner)],
  [second(outer)],
  [second(disc)],
  [main(left)],
  [main(right)],
  [main(petal)],
];

/** For cells next to the diagonals. */
export const edges: Choice = [
  ...quietEdges,
  [second(left), main(disc)],
  [second(diamond)],
  [second(leaf), accent(dot)],
  [second(right), accent(dot)],
  [main(disc), second(dot)],
];
