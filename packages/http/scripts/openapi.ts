import { writeFile } from "node:fs/promises";
import { buildDocument } from "./document.ts";

/** Writes the OpenAPI document that a server sends: `npm run build --prefix packages/http`. The set-up and the build run this. */
const target = new URL("../src/openapi.json", import.meta.url);
await writeFile(target, `${JSON.stringify(buildDocument(), null, 2)}\n`);
