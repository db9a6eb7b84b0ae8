import { fileURLToPath } from "node:url";
import type { Plugin } from "rolldown";

const entry = "\0pinyin";
const file = "./pinyin.cjs";
const core = fileURLToPath(new URL("../../../core/src/messages/pinyin.ts", import.meta.url));
const loader = "createRequire(import.meta.url)";

/** The library for pinyin as a file of its own in the bundle. */
export const pinyinEntry = { pinyin: entry };

/** What core requires for the first Chinese text is that file: users have no other copy of the library. */
export const latePinyin: Plugin = {
  name: "late-pinyin",
  resolveId: {
    filter: { id: [/^\0pinyin$/, /^\.\/pinyin\.cjs$/, /^pinyin-pro$/] },
    handler(id) {
      if (id === file) return { id, external: true };
      return id === entry ? id : this.resolve(id, core, { skipSelf: true });
    },
  },
  load: {
    filter: { id: /^\0pinyin$/ },
    handler: () => 'export { convert, pinyin } from "pinyin-pro";\n',
  },
  transform: {
    filter: { id: core },
    handler(code) {
      if (!code.includes(loader)) throw new TypeError(`${core} does not contain ${loader}.`);
      return { code: code.replace(loader, `() => require("${file}")`), map: null };
    },
  },
};
