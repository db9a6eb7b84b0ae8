import { fileURLToPath } from "node:url";
import { isPage } from "./addresses.ts";

/** The built pages under `/user/`, for a server. */
export interface Pages {
  /** The folder of the files. */
  readonly directory: string;
  /** The path at which they must be served, because URLs are built in. */
  readonly path: "/user/";
  /** The file to respond with to any path of a page, and with status 404 to any other path. */
  readonly fallback: string;
  /** True if the path of a URL is that of a page. */
  readonly isPage: (path: string) => boolean;
  /** The names of files in this folder contain their hashes, so the files never change. */
  readonly immutable: string;
  /** The `Content-Security-Policy` for all files. It allows only resources of the same origin that the pages use. */
  readonly contentSecurityPolicy: string;
  /** The icon of the server. */
  readonly icon: string;
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  // `dompurify` sanitizes replies of models.
  "trusted-types telex dompurify",
];

/** The pages of this package. Give them to `createHttp` of `@telex/http` as `pages`. */
export const pages: Pages = {
  directory: fileURLToPath(new URL("../../dist/pages/", import.meta.url)),
  path: "/user/",
  fallback: "index.html",
  isPage,
  immutable: "assets/",
  contentSecurityPolicy: policy.join("; "),
  icon: "icon.svg",
};
