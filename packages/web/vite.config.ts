import { appendFile, readdir, readFile, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";
import { defineConfig, type Plugin, transformWithOxc } from "vite";
import { VitePWA } from "vite-plugin-pwa";

/** Appends the notification handlers to the service worker, which must be one file. */
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
/** The extensions of files that are compressed. */
const packable: readonly string[] = [".css", ".html", ".js", ".svg"];

/** Compresses the built files with Brotli as `<name>.br`, because a server has no time for this. */
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
  // Bundles the sources of other packages.
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
    // The oldest browsers with popovers and other features that the pages use without polyfills: spring 2024.
    target: ["chrome116", "firefox125", "safari17.4"],
    // Never inlines files, because the Content-Security-Policy forbids it.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Bundles small files that every page needs into one file, which compresses better and needs fewer imports.
        codeSplitting: {
          groups: [
            {
              name: "base",
              test: /node_modules\/(?:@?preact)|\/src\/app\/context|packages\/http\/src\/client|\/ui\/(?:forms\/(?:button|use-copy|use-report|late-counter)|lists\/when|files\/(?:given-files|file-button))|\/base\/count/,
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
        // Only the files of the pages. Responses of the server are never cached, because their requests may contain a token.
        globPatterns: ["**/*.{html,js,css,svg,webmanifest}"],
        navigateFallback: "/user/index.html",
        // Only for the URLs of these pages. The server provides the sign-in forms.
        navigateFallbackAllowlist: [
          /^\/user\/(?:(?:teleprinter|rooms|chat|pictures|files|account|admin|token)(?:[/?]|$)|$)/,
        ],
        // A single file, because loading a second one would need an exception from Trusted Types.
        inlineWorkboxRuntime: true,
        cleanupOutdatedCaches: true,
      },
    }),
    appendWorker,
    packFiles,
  ],
});
