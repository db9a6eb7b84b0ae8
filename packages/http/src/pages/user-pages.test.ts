import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { createUserPages, type UserPages } from "./user-pages.ts";

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function setup(files: Readonly<Record<string, string | Uint8Array>>): UserPages {
  const directory = mkdtempSync(join(tmpdir(), "telex-pages-"));
  folders.push(directory);
  mkdirSync(join(directory, "assets"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  return {
    directory,
    fallback: "index.html",
    isPage: (path) => /^\/user(\/|\/teleprinter\/.*)?$/.test(path),
    immutable: "assets/",
    contentSecurityPolicy: "default-src 'none'",
  };
}

const built = { "index.html": "<!doctype html>", "sw.js": "1;", "assets/main-1a2b.js": "2;" };
const ask = (pages: UserPages, path: string, headers: Readonly<Record<string, string>> = {}) =>
  createUserPages(pages, "/user")({ path, header: (name) => headers[name] ?? null });
const textOf = (body: unknown): string => Buffer.from(body instanceof Uint8Array ? body : []).toString();

test("every address that names no file is a page, and pages know their own addresses", () => {
  const pages = setup(built);
  for (const path of ["/user", "/user/", "/user/teleprinter/", "/user/teleprinter/device/a"]) {
    expect(textOf(ask(pages, path)?.body)).toBe("<!doctype html>");
    expect(ask(pages, path)?.status).toBe(200);
  }
});

test("an address without a page is a page with status 404, also for those who have the file already", () => {
  const pages = setup(built);
  const page = ask(pages, "/user/anything");
  expect(page?.status).toBe(404);
  expect(textOf(page?.body)).toBe("<!doctype html>");
  expect(ask(pages, "/user/anything", { "if-none-match": page?.headers["etag"] ?? "" })?.status).toBe(404);
});

test("a file that is not there is not there, and nothing outside the folder is", () => {
  const pages = setup(built);
  for (const path of ["/user/none.js", "/user/assets/none", "/user/assets/", "/user/..%2f..%2fetc/passwd.txt"]) {
    expect(ask(pages, path)).toBeNull();
  }
});

test("only what has its content in its name is cached without limit", () => {
  const pages = setup(built);
  expect(ask(pages, "/user/assets/main-1a2b.js")?.headers).toMatchObject({
    "cache-control": "public, max-age=31536000, immutable",
    "content-type": "text/javascript; charset=utf-8",
  });
  for (const path of ["/user/", "/user/sw.js"]) expect(ask(pages, path)?.headers["cache-control"]).toBe("no-cache");
});

test("who has a file already is told so, and nothing more", () => {
  const pages = setup(built);
  const etag = ask(pages, "/user/")?.headers["etag"] ?? "";
  expect(ask(pages, "/user/", { "if-none-match": `"other", ${etag}` })).toMatchObject({ status: 304, body: null });
  expect(ask(pages, "/user/", { "if-none-match": '"other"' })?.status).toBe(200);
});

test.each([
  ["gzip, br", true],
  ["br;q=1.0, gzip;q=0.8", true],
  ["GZIP", true],
  ["gzip;q=0", false],
  ["gzip;q=0.000, br", false],
  ["identity", false],
  ["", false],
])("who accepts %j gets a packed file: %s", (accepted, packed) => {
  const reply = ask(setup(built), "/user/", { "accept-encoding": accepted });
  expect(reply?.headers["content-encoding"]).toBe(packed ? "gzip" : undefined);
  const body = reply?.body instanceof Uint8Array ? reply.body : new Uint8Array();
  expect(textOf(packed ? gunzipSync(body) : body)).toBe("<!doctype html>");
});

test.each([
  ["gzip, deflate, br, zstd", "br"],
  ["br", "br"],
  ["gzip, br;q=0", "gzip"],
  ["", undefined],
])("who accepts %j gets a file that was packed when it was built with the coding %s", (accepted, coding) => {
  const pages = setup({ ...built, "index.html.br": brotliCompressSync("<!doctype html>") });
  const reply = ask(pages, "/user/", { "accept-encoding": accepted });
  expect(reply?.headers["content-encoding"]).toBe(coding);
  const body = reply?.body instanceof Uint8Array ? reply.body : new Uint8Array();
  const unpack = { br: brotliDecompressSync, gzip: gunzipSync, none: (bytes: Uint8Array) => bytes };
  expect(textOf(unpack[coding === "br" || coding === "gzip" ? coding : "none"](body))).toBe("<!doctype html>");
  expect(ask(pages, "/user/index.html.br")).toBeNull();
});

test("every file carries the policy, and is what it says it is", () => {
  for (const path of ["/user/", "/user/sw.js", "/user/assets/main-1a2b.js"]) {
    expect(ask(setup(built), path)?.headers).toMatchObject({
      "content-security-policy": "default-src 'none'",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      vary: "accept-encoding",
    });
  }
});

test("pages that have not been built are a mistake of the set-up, reported immediately", () => {
  expect(() => createUserPages(setup({}), "/user")).toThrow(/the pages have not been built/);
});
