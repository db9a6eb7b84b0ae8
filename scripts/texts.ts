// `npx node scripts/texts.ts`: writes what the documents and programs say about installing, for the setting in `release/published.ts`.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isPublished } from "./release/published.ts";
import { filesWithTexts, withTexts } from "./release/texts.ts";

for (const path of filesWithTexts) {
  const file = fileURLToPath(new URL(`../${path}`, import.meta.url));
  writeFileSync(file, withTexts(path, readFileSync(file, "utf8"), isPublished));
}
