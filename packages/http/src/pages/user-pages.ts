import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join, sep } from "node:path";
import { gzipSync } from "node:zlib";
import type { Exchange } from "../request/exchange.ts";
import type { HttpResponse } from "../response/http-response.ts";

/** Built pages, as `pages` of `@telex/web` gives them: static files below `/user/`. */
export interface UserPages {
  /** The folder of the files. They are read once, when the server is made. */
  readonly directory: string;
  /** The file that answers every address below `/user/` that names no file: the pages know their own addresses. */
  readonly fallback: string;
  /** True for the path of a URL that is the address of a page. The fallback answers others, too, with status 404. */
  readonly isPage: (path: string) => boolean;
  /** Files below this folder carry their content in their name, and never change. */
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

/** What of a request counts here. */
type Asking = Pick<Exchange, "path" | "header">;

interface File {
  readonly headers: Readonly<Record<string, string>>;
  readonly plain: Buffer;
  readonly packed: Buffer;
}

const headersOfAll = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  vary: "accept-encoding",
};

function readFile(pages: UserPages, name: string): File {
  const plain = readFileSync(join(pages.directory, name));
  const forever = name.startsWith(pages.immutable);
  return {
    plain,
    packed: gzipSync(plain, { level: 9 }),
    headers: {
      ...headersOfAll,
      "content-type": mediaTypes[extname(name)] ?? "application/octet-stream",
      "content-security-policy": pages.contentSecurityPolicy,
      "cache-control": forever ? "public, max-age=31536000, immutable" : "no-cache",
      etag: `W/"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`,
    },
  };
}

function readFiles(pages: UserPages): ReadonlyMap<string, File> {
  const names = readdirSync(pages.directory, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(pages.directory, name)).isFile())
    .map((name) => name.split(sep).join("/"));
  if (!names.includes(pages.fallback)) {
    throw new TypeError(`There is no ${pages.fallback} in ${pages.directory}: the pages have not been built.`);
  }
  return new Map(names.map((name) => [name, readFile(pages, name)]));
}

/** True where a request takes a gzip coding; one with quality 0 is a refusal. */
const takesGzip = (header: string | null): boolean =>
  /(?:^|,)\s*gzip\s*(?:;(?!\s*q=0(?:\.0*)?\s*(?:,|$))|,|$)/i.test(header ?? "");

function responseOf({ headers, plain, packed }: File, exchange: Asking, status: 200 | 404): HttpResponse {
  const known = (exchange.header("if-none-match") ?? "").split(",").map((tag) => tag.trim());
  if (status === 200 && known.includes(headers["etag"] ?? "")) return { status: 304, headers, body: null };
  return takesGzip(exchange.header("accept-encoding"))
    ? { status, headers: { ...headers, "content-encoding": "gzip" }, body: packed }
    : { status, headers, body: plain };
}

/** A request for something that is not there: a name with an ending is one of a file, not of a page. */
const namesFile = (pages: UserPages, name: string): boolean =>
  /\.[^/]*$/.test(name) || name.startsWith(pages.immutable);

/**
 * Answers what lies below `/user/`: a file by its name, everything that looks like a page with the fallback (status 404
 * if there is no such page), else null.
 * @param place the path below which the files lie, such as `/user`
 * @throws TypeError where the pages have not been built
 */
export function createUserPages(pages: UserPages, place: string): (exchange: Asking) => HttpResponse | null {
  const files = readFiles(pages);
  return (exchange) => {
    const name = exchange.path.slice(place.length + 1);
    const file = files.get(name);
    if (file !== undefined) return responseOf(file, exchange, 200);
    const page = namesFile(pages, name) ? undefined : files.get(pages.fallback);
    return page === undefined ? null : responseOf(page, exchange, pages.isPage(exchange.path) ? 200 : 404);
  };
}
