import { writeFile } from "node:fs/promises";
import { buildDocument } from "./document.ts";

/** Writes the OpenAPI document that is served: `node --conditions=telex-source packages/http/scripts/openapi.ts`. */
const target = new URL("../src/openapi.json", import.meta.url);
await writeFile(target, `${JSON.stringify(buildDocument(), null, 2)}\n`);
