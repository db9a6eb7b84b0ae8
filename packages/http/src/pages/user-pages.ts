import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join, sep } from "node:path";
import type { Exchange } from "../exchange/exchange.ts";
import type { HttpResponse } from "../response/http-response.ts";
import { keepFile, keepSmallFile, type KeptFile, keptResponse } from "../response/kept.ts";

/** Built pages, as `pages` of `@telex/web` returns them: static files below `/user/`. */
export interface UserPages {
  /** The folder of the files. They are read once, when the server is created. `<name>.br` next to a file is its Brotli version. */
  readonly directory: string;
  /** The file that answers every address below `/user/` that names no file: the pages know their own addresses. */
  readonly fallback: string;
  /** True for the path of a URL that is the address of a page. The fallback answers others, too, with status 404. */
  readonly isPage: (path: string) => boolean;
  /** Files below this folder have a hash of their content in their name, and never change. */
  readonly immutable: string;
  readonly contentSecurityPolicy: string;
  /** The file to which `/favicon.ico` leads. Default: there is no such address. */
  readonly icon?: string;
}

const mediaTypes: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json",
};

/** The parts of a request that the pages need. */
type Asking = Pick<Exchange, "path" | "header">;

const headersOfAll = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** Maximum bytes of a file whose unpacking costs little more than answering. */
const largest = 256 * 1024;

/** The end of the name of a file that the build has packed with Brotli, next to the file itself. */
const packedEnd = ".br";

function readFile(pages: UserPages, name: string, names: ReadonlySet<string>): KeptFile {
  const isImmutable = name.startsWith(pages.immutable);
  const read = (file: string): Uint8Array => readFileSync(join(pages.directory, file));
  const packed = name + packedEnd;
  const headers = {
    ...headersOfAll,
    "content-type": mediaTypes[extname(name)] ?? "application/octet-stream",
    "content-security-policy": pages.contentSecurityPolicy,
    "cache-control": isImmutable ? "public, max-age=31536000, immutable" : "no-cache",
  };
  const plain = read(name);
  const keep = plain.byteLength > largest ? keepFile : keepSmallFile;
  return keep(plain, headers, names.has(packed) ? read(packed) : null);
}

function readFiles(pages: UserPages): ReadonlyMap<string, KeptFile> {
  const names = readdirSync(pages.directory, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(pages.directory, name)).isFile())
    .map((name) => name.split(sep).join("/"));
  if (!names.includes(pages.fallback))
    throw new TypeError(`There is no ${pages.fallback} in ${pages.directory}: the pages have not been built.`);
  const fileNames = new Set(names);
  const plain = names.filter((name) => !name.endsWith(packedEnd));
  return new Map(plain.map((name) => [name, readFile(pages, name, fileNames)]));
}

/** A request for a missing file: a name with an extension belongs to a file, not to a page. */
const namesFile = (pages: UserPages, name: string): boolean =>
  name.includes(".", name.lastIndexOf("/") + 1) || name.startsWith(pages.immutable);

/**
 * Answers requests below `/user/`: for a file with the file, for everything that looks like a page with the fallback (status 404 if there
 * is no such page), otherwise null.
 * @param place the path of the files, such as `/user`
 * @throws TypeError if the pages have not been built
 */
export function createUserPages(pages: UserPages, place: string): (exchange: Asking) => HttpResponse | null {
  const files = readFiles(pages);
  return (exchange) => {
    const name = exchange.path.slice(place.length + 1);
    const file = files.get(name);
    if (file !== undefined) return keptResponse(file, exchange);
    const page = namesFile(pages, name) ? undefined : files.get(pages.fallback);
    return page === undefined ? null : keptResponse(page, exchange, pages.isPage(exchange.path) ? 200 : 404);
  };
}
