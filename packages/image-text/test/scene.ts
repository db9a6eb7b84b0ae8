import sharp, { type Sharp } from "sharp";

/** Raw pixels for sharp, as the golden files and the tests draw them. */
export interface Raw {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 2 | 3 | 4;
}

export const picture = ({ data, width, height, channels }: Raw): Sharp =>
  sharp(data, { raw: { width, height, channels } });

/** A landscape at dusk, with some grain: edges, gradients, dark and bright parts. Drawn here, so free of rights. */
export async function scene(width: number, height: number): Promise<Raw> {
  const drawing = Buffer.from(landscape(width, height));
  const { data } = await sharp(drawing).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const grain = noise(1);
  return { data: data.map((value) => Math.min(255, Math.max(0, value + grain() - 6))), width, height, channels: 3 };
}

const landscape = (width: number, height: number): string => `
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 300" preserveAspectRatio="none" width="${width}" height="${height}">
  <linearGradient id="sky" x2="0" y2="1">
    <stop offset="0" stop-color="#16244f"/><stop offset=".55" stop-color="#e8946a"/><stop offset="1" stop-color="#ffe9b0"/>
  </linearGradient>
  <rect width="400" height="300" fill="url(#sky)"/>
  <circle cx="285" cy="140" r="30" fill="#fffbe8"/>
  <path d="M0 215 60 120 110 180 170 92 240 190 300 140 400 220V300H0Z" fill="#3a3350"/>
  <path d="M170 92 150 121 165 128 176 118 190 122Z" fill="#f4f0ff"/>
  <path d="M0 240Q100 200 200 240T400 235V300H0Z" fill="#1d2b2a"/>
  <path d="M40 290 60 195 80 290ZM100 300 116 225 132 300Z" fill="#0a120f"/>
</svg>`;

/** Whole numbers from 0 to 12, the same in each run. */
function noise(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 16) % 13;
  };
}

/** Frames one below another as an animation. */
export const frames = (pictures: readonly Raw[]): Sharp => {
  const [first] = pictures;
  if (first === undefined) throw new TypeError("an animation needs a frame");
  const { width, height, channels } = first;
  return sharp(Buffer.concat(pictures.map(({ data }) => data)), {
    raw: { width, height: height * pictures.length, channels, pageHeight: height },
  });
};
