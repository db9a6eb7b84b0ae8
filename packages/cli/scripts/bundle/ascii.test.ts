import { runInNewContext } from "node:vm";
import { rolldown } from "rolldown";
import { expect, it } from "vitest";
import { ascii } from "./ascii.ts";

async function bundled(code: string): Promise<string> {
  const bundle = await rolldown({
    input: "main",
    plugins: [{ name: "source", resolveId: (id) => id, load: () => code }, ascii],
  });
  const { output } = await bundle.generate({ format: "cjs" });
  await bundle.close();
  return output[0].code;
}

it("a bundle has only ASCII, and its strings, templates and expressions mean the same", async () => {
  const source =
    "const 名 = '…中😀'; export const found = [名, `–${名}é`, /^[\\u4e00-龥]+$/.test('汉字'), /^.😀$/u.test('a😀')];";
  const code = await bundled(source);
  const exports: { found?: unknown } = {};
  runInNewContext(code, { exports, Symbol, Object });
  expect(/^[\0-\x7f]*$/.test(code)).toBe(true);
  expect(JSON.stringify(exports.found)).toBe(JSON.stringify(["…中😀", "–…中😀é", true, true]));
});

it("a source in which escapes would mean something else ends the build", async () => {
  await expect(bundled("export const a = String.raw`…`;")).rejects.toThrow("String.raw");
  await expect(bundled("export const a = /\\–/.test('–');")).rejects.toThrow("backslash");
});
