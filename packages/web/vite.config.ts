import { appendFile, readdir, readFile, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";
import { defineConfig, type Plugin, transformWithOxc } from "vite";
import { VitePWA } from "vite-plugin-pwa";

/** Adds the handlers of notifications to the worker, which must be one file. */
const appendWorker: Plugin = {
  name: "append-worker",
  apply: "build",
  enforce: "post",
  closeBundle: {
    order: "post",
    sequential: true,
    async handler() {
      const source = fileURLToPath(new URL("src/worker/push.ts", import.meta.url));
      const { code } = await transformWithOxc(await readFile(source, "utf8"), source);
      await appendFile(fileURLToPath(new URL("dist/pages/sw.js", import.meta.url)), `\n(() => {\n${code}})();\n`);
    },
  },
};

const built = fileURLToPath(new URL("dist/pages/", import.meta.url));
/** Files that a server packs anyway; a smaller one fits into the packet that answers its request. */
const packable: readonly string[] = [".css", ".html", ".js", ".svg"];

/** Packs the built files with Brotli, which a server has no time for: `<name>.br` beside each. */
const packFiles: Plugin = {
  name: "pack-files",
  apply: "build",
  enforce: "post",
  closeBundle: {
    order: "post",
    sequential: true,
    async handler() {
      const names = await readdir(built, { recursive: true });
      const pack = async (name: string): Promise<void> => {
        const file = join(built, name);
        await writeFile(`${file}.br`, await promisify(brotliCompress)(await readFile(file)));
      };
      await Promise.all(names.filter((name) => packable.includes(extname(name))).map(pack));
    },
  },
};

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "/user/",
  // From the sources: what these pages need of other packages is built with them.
  resolve: {
    conditions: ["telex-source", "module", "browser", "production"],
    alias: {
      entities: fileURLToPath(new URL("src/chat/entities.ts", import.meta.url)),
      "eventsource-parser": fileURLToPath(new URL("src/chat/no-event-streams.ts", import.meta.url)),
    },
  },
  build: {
    outDir: "dist/pages",
    emptyOutDir: true,
    // The oldest that know popovers, and all that the pages need without a polyfill: spring 2024.
    target: ["chrome116", "firefox125", "safari17.4"],
    // Small files as addresses of their own: the policy of the pages allows nothing inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Small files that every page needs are one file: each one packs worse, and names the others.
        codeSplitting: {
          groups: [
            {
              name: "base",
              test: /node_modules\/(?:@?preact)|\/src\/app\/context|packages\/http\/src\/client|\/ui\/(?:forms\/(?:button|use-copy|use-telling|late-counter)|lists\/when|files\/(?:given-files|file-button))|\/base\/count/,
            },
          ],
        },
      },
    },
  },
  plugins: [
    VitePWA({
      registerType: "autoUpdate",
      injectRegister: false,
      includeAssets: ["icon.svg"],
      manifest: {
        name: "Telex",
        short_name: "Telex",
        start_url: "/user/teleprinter/",
        scope: "/user/",
        display: "standalone",
        background_color: "#ded8ca",
        theme_color: "#ded8ca",
        icons: [{ src: "icon.svg", sizes: "any", type: "image/svg+xml", purpose: "any" }],
      },
      workbox: {
        // Only the files of the pages themselves; an answer of the server, which may have carried a token, never.
        globPatterns: ["**/*.{html,js,css,svg,webmanifest}"],
        navigateFallback: "/user/index.html",
        // Only for the addresses of these pages: the forms of signing in come from the server.
        navigateFallbackAllowlist: [
          /^\/user\/(?:(?:teleprinter|rooms|chat|pictures|files|account|admin|token)(?:[/?]|$)|$)/,
        ],
        // One file: loading a second one would need an exception from Trusted Types.
        inlineWorkboxRuntime: true,
        cleanupOutdatedCaches: true,
      },
    }),
    appendWorker,
    packFiles,
  ],
});
