import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import type * as telexClient from "@telex/http/client";
import type { Browser, Page } from "playwright-core";
import { build } from "vite";
import { expect, onTestFinished, test } from "vitest";
import { useBrowser, useServer } from "./browser.ts";

const browser = useBrowser();

/** Bundles the typed client as another site would. */
async function bundleClient(): Promise<string> {
  const bundled = await build({
    configFile: false,
    logLevel: "error",
    resolve: { conditions: ["telex-source"] },
    build: {
      write: false,
      lib: { entry: fileURLToPath(import.meta.resolve("@telex/http/client")), formats: ["es"] },
    },
  });
  const [result] = Array.isArray(bundled) ? bundled : [bundled];
  const [chunk] = result !== undefined && "output" in result ? result.output : [];
  if (chunk?.type !== "chunk") throw new TypeError("the client was not bundled into one file");
  return chunk.code;
}

const html = `<!doctype html><title>Another site</title>
<script type="module">import * as telex from "/client.js"; globalThis.telex = telex;</script>`;

/** Another site with an empty page and the typed client. */
async function useSite(): Promise<string> {
  const client = await bundleClient();
  const server = createServer((request, response) => {
    if (request.url === "/client.js") response.setHeader("content-type", "text/javascript").end(client);
    else response.setHeader("content-type", "text/html").end(html);
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  onTestFinished(() => void server.close());
  await promise;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

async function openSite(site: string, of: Browser): Promise<Page> {
  const context = await of.newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(site);
  return page;
}

interface Given {
  readonly url: string;
  readonly token: string;
}

/** Calls with the typed client in the page: JSON, a failure, an upload, a picture and an event stream. */
const callAll = async ({ url, token }: Given) => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the script of the site puts it there
  const { createClient } = Reflect.get(globalThis, "telex") as typeof telexClient;
  const client = createClient({ url, token });
  const device = await client.teleprinter.register({ deviceId: "kitchen", name: "Kitchen" });
  const refused = await createClient({ url, token: "tlxp_wrong" })
    .teleprinter.devices()
    .catch((error: unknown) => (error instanceof Error && "code" in error ? error.code : error));
  const canvas = new OffscreenCanvas(40, 40);
  canvas.getContext("2d")?.fillRect(0, 0, 40, 40);
  const stored = await client.bucket.upload({ file: await canvas.convertToBlob() });
  const images = [await client.images.imageText({ file_id: stored.file_id, col: 4 })];
  images.push(await client.images.imageText({ file_id: stored.file_id, col: 4 }));
  const downloaded = await client.bucket.download({ file: `${stored.file_id}.png` });
  const events: string[] = [];
  for await (const { kind } of await client.ai.chat({ content: "one two" })) events.push(kind);
  return {
    name: device.name,
    refused,
    cached: images.map(({ cached }) => cached),
    text: images[0]?.text,
    size: downloaded.size === stored.size,
    last: events.at(-1),
    events: events.length > 1,
  };
};

test("the typed client works in the page of an allowed origin, also for failures, files and event streams", async () => {
  const site = await useSite();
  const server = await useServer({ cors: [site] });
  const page = await openSite(site, browser());
  const { url, token } = server;
  expect(await page.evaluate(callAll, { url, token })).toEqual({
    name: "Kitchen",
    refused: "invalid_token",
    cached: [false, true],
    text: "    \r\n    \r\n",
    size: true,
    last: "result",
    events: true,
  });
});

test("a page of an allowed origin may send credentials", async () => {
  const site = await useSite();
  const { url } = await useServer({ cors: [site] });
  const page = await openSite(site, browser());
  const ask = (address: string): Promise<number> =>
    fetch(`${address}/healthz`, { credentials: "include" }).then(({ status }) => status);
  expect(await page.evaluate(ask, url)).toBe(200);
});

test.each([
  ["without the setting", []],
  ["of an origin that is not listed", ["https://app.example"]],
])("the page of another site cannot read responses, %s", async (_name, cors) => {
  const site = await useSite();
  const { url, token } = await useServer({ cors });
  const page = await openSite(site, browser());
  const ask = (given: Given): Promise<string> =>
    fetch(`${given.url}/external/api/v1/oauth2/userinfo`, { headers: { authorization: `Bearer ${given.token}` } }).then(
      ({ status }) => String(status),
      (error: unknown) => String(error),
    );
  expect(await page.evaluate(ask, { url, token })).toBe("TypeError: Failed to fetch");
  const plain = (address: string): Promise<string> => fetch(`${address}/healthz`).then(String, String);
  expect(await page.evaluate(plain, url)).toBe("TypeError: Failed to fetch");
});
