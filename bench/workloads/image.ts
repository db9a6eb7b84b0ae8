import { execFile } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import sharp from "sharp";
import { timeCommand } from "../lib/command.ts";
import type { Subject, Workload } from "../lib/workload.ts";

const launcher = new URL("../../packages/cli/bin/telex.cjs", import.meta.url).pathname;
const source = new URL("../limits/image.c", import.meta.url).pathname;
const chafa = "/usr/bin/chafa";
const headers = ["/usr/include/jpeglib.h", "/usr/include/png.h"];
const packages = "apt-get install gcc libjpeg-dev libpng-dev chafa";

const [width, height] = [4000, 3000];

/** Sizes of noise with their strength: half the size has half the strength, as in a photograph. */
const octaves = [
  { columns: 4, strength: 90 },
  { columns: 16, strength: 60 },
  { columns: 64, strength: 36 },
  { columns: 256, strength: 18 },
  { columns: 1024, strength: 9 },
  { columns: width, strength: 2.5 },
] as const;

/** The same noise in each run. */
function noise(bytes: number, seed: number): Buffer {
  let state = seed;
  return Buffer.from(
    Uint8Array.from({ length: bytes }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state >>> 24;
    }),
  );
}

/** Pixels that resemble a photograph of 12 megapixels. */
async function createPixels(): Promise<Buffer> {
  const sums = new Float32Array(3 * width * height).fill(128);
  for (const { columns, strength } of octaves) {
    const rows = (columns * height) / width;
    const layer = sharp(noise(3 * columns * rows, columns), { raw: { width: columns, height: rows, channels: 3 } });
    const scaled = await layer.resize(width, height, { kernel: "cubic", fit: "fill" }).raw().toBuffer();
    for (const [index, value] of scaled.entries()) sums[index] = (sums[index] ?? 0) + ((value - 128) / 128) * strength;
  }
  return Buffer.from(Uint8ClampedArray.from(sums));
}

interface Prepared {
  readonly jpg: string;
  readonly png: string;
  /** The limit, compiled. */
  readonly limit: string;
}

let preparing: Promise<Prepared> | undefined;

async function prepare(): Promise<Prepared> {
  const folder = await mkdtemp(join(tmpdir(), "telex-bench-image-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const picture = sharp(await createPixels(), { raw: { width, height, channels: 3 } });
  const [jpg, png, limit] = [join(folder, "12.jpg"), join(folder, "12.png"), join(folder, "image")];
  await picture.clone().jpeg({ quality: 90 }).toFile(jpg);
  await picture.clone().png({ adaptiveFiltering: true }).toFile(png);
  await promisify(execFile)("cc", ["-O3", "-o", limit, source, "-ljpeg", "-lpng"]);
  return { jpg, png, limit };
}

type Format = "jpg" | "png";

/** Runs a command on the picture. Commands that do the same as the limit must print the same. */
const subject = (name: string, format: Format, command: (prepared: Prepared) => readonly string[]): Subject => ({
  name,
  async round() {
    const prepared = await (preparing ??= prepare());
    const file = prepared[format];
    const printed = `${file}.${name}.txt`;
    const timed = await timeCommand([...command(prepared), file], printed);
    if (name === "telex" && (await readFile(printed, "utf8")) !== (await readFile(`${file}.limit.txt`, "utf8")))
      throw new Error(`telex image prints other characters than the limit for ${file}`);
    return timed;
  },
});

const formats = [
  { format: "jpg", name: "image 12 MP JPEG" },
  { format: "png", name: "image 12 MP PNG" },
] as const;

/** `telex image` of 12 megapixels as a whole process, compared with a program in C and with chafa. */
export function imageWorkloads(): readonly Workload[] {
  const hasLimit = headers.every((file) => existsSync(file));
  const missing = [...(hasLimit ? [] : ["the limit"]), ...(existsSync(chafa) ? [] : ["chafa"])];
  const note = missing.length === 0 ? "" : `; not installed, so not measured: ${missing.join(", ")} (${packages})`;
  return formats.map(({ format, name }) => ({
    name,
    about: `telex image as a whole process; the limit is a program in C on libjpeg and libpng${note}`,
    subjects: [
      ...(hasLimit ? [subject("limit", format, ({ limit }) => [limit])] : []),
      ...(hasLimit ? [subject("telex", format, () => [process.execPath, launcher, "image"])] : []),
      ...(existsSync(chafa) ? [subject("chafa", format, () => [chafa, "--symbols", "ascii", "--size", "69x26"])] : []),
    ],
  }));
}
