import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

interface Made {
  readonly name: string;
  readonly state: "same" | "new" | "changed";
}

/** A page with the new and changed screenshots, each next to the previous one. */
function pageOf(title: string, different: readonly Made[]): string {
  const picture = (name: string): string => `<img src="${name}.png" alt="${name}" loading="lazy">`;
  const sections = different.map(({ name, state }) => {
    const before = state === "changed" ? picture(`${name}.before`) : "";
    return `<h2>${name}: ${state}</h2><div>${before}${picture(name)}</div>`;
  });
  const style =
    "body{font-family:sans-serif}div{display:flex;gap:8px}img{max-width:49%;border:1px solid;align-self:start}";
  const head = `<!doctype html><meta charset="utf-8"><title>${title}</title><style>${style}</style>`;
  return `${head}<h1>${title}</h1>${sections.join("")}`;
}

/** Stores screenshots in a folder, and compares them with the previous ones byte by byte. */
export async function keepPictures(folder: string) {
  await mkdir(folder, { recursive: true });
  const made: Made[] = [];
  return {
    /** Writes a screenshot. If it differs from the previous one, keeps both and reports this. */
    async keep(name: string, picture: Buffer): Promise<void> {
      const file = join(folder, `${name}.png`);
      const before = await readFile(file).catch(() => null);
      if (before?.equals(picture) === true) return void made.push({ name, state: "same" });
      if (before !== null) await rename(file, join(folder, `${name}.before.png`));
      await writeFile(file, picture);
      const state = before === null ? "new" : "changed";
      made.push({ name, state });
      process.stdout.write(`${state}: ${file}\n`);
    },
    async writeReport(): Promise<void> {
      const different = made.filter(({ state }) => state !== "same");
      const title = `${different.length} of ${made.length} pictures are new or changed`;
      await writeFile(join(folder, "index.html"), pageOf(title, different));
      process.stdout.write(`${title}: ${join(folder, "index.html")}\n`);
    },
  };
}
