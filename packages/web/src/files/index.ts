import { fileURLToPath } from "node:url";
import { isPage } from "./addresses.ts";

/** The pages under `/user/`, built, as a server offers them. */
export interface Pages {
  /** The folder of the files. */
  readonly directory: string;
  /** Where they must be served: their addresses are built in. */
  readonly path: "/user/";
  /** The file that answers every address of a page below the path, and with status 404 every address that is not one. */
  readonly fallback: string;
  /** True for the path of a URL that is the address of a page. */
  readonly isPage: (path: string) => boolean;
  /** Files below this folder have their content in their name, and never change. */
  readonly immutable: string;
  /** The `Content-Security-Policy` of every file: only what the pages use, from where they came. */
  readonly contentSecurityPolicy: string;
  /** The file that browsers show as the icon of the server. */
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
  // `dompurify`: what makes replies of models safe to show.
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
