/** A colour, 0 to 255 each. */
type Rgb = readonly [number, number, number];

/** Raw pixels, three bytes each. */
export interface RawPicture {
  readonly rgb: Uint8Array;
  readonly width: number;
  readonly height: number;
}

const width = 640;
const height = 400;
const horizon = 262;
const sun = { x: 430, y: 190, radius: 46 } as const;

const mix = (from: Rgb, to: Rgb, share: number): Rgb => {
  const part = Math.min(1, Math.max(0, share));
  return [from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part, from[2] + (to[2] - from[2]) * part];
};

const sky = (x: number, y: number): Rgb => {
  const distance = Math.hypot(x - sun.x, y - sun.y);
  if (distance < sun.radius) return [255, 244, 214];
  const air = mix([38, 48, 104], [246, 148, 92], y / horizon);
  return mix([255, 226, 164], air, (distance - sun.radius) / 190);
};

const waves = (x: number, steps: readonly (readonly [length: number, height: number, shift: number])[]): number =>
  steps.reduce((sum, [length, tall, shift]) => sum + Math.sin(x / length + shift) * tall, 0);

const farRidge = (x: number): number =>
  200 -
  waves(x, [
    [71, 26, 0.4],
    [29, 11, 2],
    [13, 4, 1],
  ]);
const nearRidge = (x: number): number =>
  236 -
  waves(x, [
    [93, 22, 3.6],
    [37, 9, 0.5],
    [11, 3, 2],
  ]);

function land(x: number, y: number): Rgb {
  if (y >= nearRidge(x)) return mix([46, 42, 74], [26, 24, 48], (y - nearRidge(x)) / 60);
  if (y >= farRidge(x)) return mix([120, 92, 128], [84, 70, 112], (y - farRidge(x)) / 70);
  return sky(x, y);
}

/** The lake shows what is above it, darker, moved by small waves. */
function lake(x: number, y: number): Rgb {
  const depth = y - horizon;
  const moved = x + Math.sin(depth / 2.2 + x / 40) * (1 + depth / 16);
  const glitter = Math.abs(x - sun.x) < 18 + depth / 3 && Math.sin(depth * 1.3 + Math.sin(x / 7)) > 0.35;
  return glitter ? [255, 222, 168] : mix(land(moved, horizon - depth * 1.5), [16, 20, 52], 0.35 + depth / 400);
}

/** A lake at sunset, drawn by this program: a picture that belongs to nobody. */
export function drawDemoPicture(): RawPicture {
  const rgb = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      rgb.set((y < horizon ? land(x, y) : lake(x, y)).map(Math.round), (y * width + x) * 3);
    }
  }
  return { rgb, width, height };
}
