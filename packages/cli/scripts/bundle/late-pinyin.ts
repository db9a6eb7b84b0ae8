import { fileURLToPath } from "node:url";
import type { Plugin } from "rolldown";

const entry = "\0pinyin";
const file = "./pinyin.cjs";
const loading = fileURLToPath(new URL("../../../search-terms/src/pinyin.ts", import.meta.url));
const loader = "createRequire(import.meta.url)";

/** The library for pinyin, as a separate file of the bundle. */
export const pinyinEntry = { pinyin: entry };

/** Bundles the library, and loads that file for the first Chinese text: users have no other copy. */
export const latePinyin: Plugin = {
  name: "late-pinyin",
  resolveId: {
    filter: { id: [/^\0pinyin$/, /^\.\/pinyin\.cjs$/, /^pinyin-pro$/] },
    handler(id) {
      if (id === file) return { id, external: true };
      return id === entry ? id : this.resolve(id, loading, { skipSelf: true });
    },
  },
  load: {
    filter: { id: /^\0pinyin$/ },
    handler: () => 'export { convert, pinyin } from "pinyin-pro";\n',
  },
  transform: {
    filter: { id: loading },
    handler(code) {
      if (!code.includes(loader)) throw new TypeError(`${loading} does not contain ${loader}.`);
      return { code: code.replace(loader, `() => require("${file}")`), map: null };
    },
  },
};
