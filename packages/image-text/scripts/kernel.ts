// Writes `src/kernel/code.ts` from `kernel.wat`: `node scripts/kernel.ts`.
import { readFileSync, writeFileSync } from "node:fs";
import wabt from "wabt";

const folder = new URL("../src/kernel/", import.meta.url);
const tools = await wabt();
const module = tools.parseWat("kernel.wat", readFileSync(new URL("kernel.wat", folder), "utf8"));
module.validate();
const code = Buffer.from(module.toBinary({}).buffer).toString("base64");
const lines = (code.match(/.{1,116}/g) ?? []).map((line) => `  "${line}"`);
const comment = "/** `kernel.wat` as WebAssembly, in base64; written by `scripts/kernel.ts`. */";
writeFileSync(new URL("code.ts", folder), `${comment}\nexport const kernelCode =\n${lines.join(" +\n")};\n`);
