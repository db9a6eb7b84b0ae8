/** A colour, 0 to 255 each. */
type Rgb = readonly [number, number, number];

/** Raw pixels, three bytes each. */
interface RawPicture {
  readonly rgb: Uint8Array;
  readonly width: number;
  readonly height: number;
}

const width = 640;
const height = 420;
const horizon = 290;
const moon = { x: 440, y: 112, radius: 68, glow: 130 } as const;
const black: Rgb = [0, 0, 0];

const mix = (from: Rgb, to: Rgb, share: number): Rgb => {
  const part = Math.min(1, Math.max(0, share));
  return [from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part, from[2] + (to[2] - from[2]) * part];
};

const seas = [
  { x: -22, y: -18, radius: 20 },
  { x: 14, y: -30, radius: 12 },
  { x: -8, y: 20, radius: 16 },
  { x: 30, y: 10, radius: 18 },
] as const;

function moonlight(x: number, y: number): Rgb {
  const [across, down] = [x - moon.x, y - moon.y];
  const isSea = seas.some((sea) => Math.hypot(across - sea.x, down - sea.y) < sea.radius);
  return mix([255, 250, 226], [150, 146, 132], (isSea ? 0.75 : 0) + Math.max(0, across) / 200);
}

const stars: readonly (readonly [x: number, y: number])[] = [
  [40, 36],
  [118, 84],
  [196, 28],
  [252, 118],
  [304, 56],
  [60, 140],
  [566, 40],
  [604, 118],
  [160, 160],
];

function sky(x: number, y: number): Rgb {
  const distance = Math.hypot(x - moon.x, y - moon.y);
  if (distance < moon.radius) return moonlight(x, y);
  if (stars.some(([across, down]) => Math.hypot(x - across, y - down) < 5)) return [255, 255, 255];
  return mix([96, 112, 150], black, (distance - moon.radius) / (moon.glow - moon.radius));
}

const waves = (x: number, steps: readonly (readonly [length: number, tall: number, shift: number])[]): number =>
  steps.reduce((sum, [length, tall, shift]) => sum + Math.sin(x / length + shift) * tall, 0);

const farRidge = (x: number): number =>
  210 -
  waves(x, [
    [76, 30, 0.4],
    [31, 14, 2],
    [12, 5, 1],
  ]);

const nearRidge = (x: number): number =>
  262 -
  waves(x, [
    [93, 20, 3.6],
    [37, 9, 0.5],
    [11, 4, 2],
  ]);

/** The heights of the two ridges at one `x`. */
interface Ridges {
  readonly near: number;
  readonly far: number;
}

function land(x: number, y: number, { near, far }: Ridges): Rgb {
  if (y >= near) return mix([70, 84, 96], black, (y - near) / 14);
  if (y >= far) return mix([214, 222, 240], [40, 50, 78], (y - far) / 46);
  return sky(x, y);
}

/** The lake is dark except for the path of moonlight. */
function lake(x: number, y: number): Rgb {
  const depth = y - horizon;
  const path = 20 + depth * 0.55 + Math.sin(depth / 3) * 9;
  const isWave = Math.sin(depth * 0.62 + Math.sin(x / 23) * 1.2) > -0.1;
  if (isWave && Math.abs(x - moon.x) < path) return mix([255, 246, 214], [120, 120, 120], Math.abs(x - moon.x) / path);
  return black;
}

/** Draws a lake in moonlight. A picture that a program draws needs no license. */
export function drawDemoPicture(): RawPicture {
  const rgb = new Uint8Array(width * height * 3);
  for (let x = 0; x < width; x += 1) {
    const ridges = { near: nearRidge(x), far: farRidge(x) };
    for (let y = 0; y < height; y += 1) {
      const [red, green, blue] = y < horizon ? land(x, y, ridges) : lake(x, y);
      const at = (y * width + x) * 3;
      rgb[at] = Math.round(red);
      rgb[at + 1] = Math.round(green);
      rgb[at + 2] = Math.round(blue);
    }
  }
  return { rgb, width, height };
}
