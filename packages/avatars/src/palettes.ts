/** Red, green and blue, 0-255 each. */
export type Colour = readonly [red: number, green: number, blue: number];

/** The colours of one picture: the background, two main colours, and a contrasting one for single points. */
export interface Palette {
  readonly ground: Colour;
  readonly main: Colour;
  readonly second: Colour;
  readonly accent: Colour;
}

const colour = (hex: string): Colour => [
  Number.parseInt(hex.slice(0, 2), 16),
  Number.parseInt(hex.slice(2, 4), 16),
  Number.parseInt(hex.slice(4, 6), 16),
];

const palette = (ground: string, main: string, second: string, accent: string): Palette => ({
  ground: colour(ground),
  main: colour(main),
  second: colour(second),
  accent: colour(accent),
});

/** Chosen by eye: each is warm with a cool accent, or cool with a warm one, and clear at 32 pixels. */
export const palettes: readonly [Palette, ...Palette[]] = [
  palette("2b2a5e", "f4c9b6", "7a6bd1", "ffb454"),
  palette("0f4c5c", "fbe9d0", "2a9d8f", "f4a261"),
  palette("fff1de", "e4572e", "f3a712", "29335c"),
  palette("ffe3e0", "c8385a", "f08a8a", "3b3561"),
  palette("ddeeff", "1f6fb2", "6fb5e8", "ff8c61"),
  palette("ddf5e7", "1b8a6b", "74cba6", "f2b134"),
  palette("ece6ff", "6247aa", "a98fe0", "f58fb0"),
  palette("b5492f", "ffe3c7", "e5835a", "2f3e56"),
  palette("1f4d3a", "dcebc8", "5fa777", "f2c14e"),
  palette("4a1f47", "f8d5e4", "b0548f", "f7b267"),
  palette("2274a5", "e9f6ff", "0f3d63", "ffd166"),
  palette("f26b5e", "fff0e6", "a62c3f", "ffd37a"),
  palette("f2a93b", "fff6df", "b85c1e", "2b4c7e"),
  palette("334155", "e2ecf5", "7c93b2", "f59e7a"),
  palette("bfedee", "0e7c86", "4fc0c4", "e4576e"),
  palette("d65a8a", "ffe8f1", "8a2459", "ffcf8a"),
  palette("7b5cd6", "f3edff", "40288c", "ffc06e"),
  palette("f3e6d3", "7a4e2d", "c79a63", "2c7a7b"),
  palette("14213d", "e5e9f2", "3e5c9a", "fca311"),
  palette("2fa084", "eafbf3", "135d4c", "ffd27d"),
];
