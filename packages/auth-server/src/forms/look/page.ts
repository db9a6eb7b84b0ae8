import { hash } from "node:crypto";
import type { Locale } from "@telex/core/transport";
import type { FormAnswer } from "@telex/http";
import { html, Html, type Part } from "../html.ts";
import { formTexts } from "../texts/texts.ts";
import { passkeyScript } from "../passkeys/script.ts";
import { script } from "./script.ts";
import { style } from "./style.ts";
import { tape } from "./tape.ts";

const sourceOf = (text: string): string => `'sha256-${hash("sha256", text, "base64")}'`;

const policy = [
  "default-src 'none'",
  `style-src ${sourceOf(style)}`,
  "img-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const withoutPasskeys = `script-src ${sourceOf(script)}`;

/** The script of passkeys asks this server for options. */
const withPasskeys = `${withoutPasskeys} ${sourceOf(passkeyScript)}; connect-src 'self'`;

/**
 * The headers of a form. With `no-referrer`, browsers would name no origin when they submit it.
 */
const headersOf = ({ targets = [], hasPasskeys = false }: Slip): Readonly<Record<string, string>> => ({
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": `${policy}; ${hasPasskeys ? withPasskeys : withoutPasskeys}; form-action ${["'self'", ...targets].join(" ")}`,
  "referrer-policy": "same-origin",
  "cache-control": "no-store",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "x-content-type-options": "nosniff",
  vary: "accept-language",
});

/** A page on the paper of a slip. */
export interface Slip {
  readonly locale: Locale;
  /** The query of the address, which the links to the other language keep. */
  readonly query: URLSearchParams;
  readonly title: string;
  /** The server, as people know it: its host. */
  readonly host: string;
  readonly content: readonly Html[];
  /** Default 200. */
  readonly status?: number;
  /** Origins to which submitting the form may lead, in addition to this one. */
  readonly targets?: readonly string[];
  /** The address to which the browser continues without a click. */
  readonly leadsTo?: string;
  /** True if the page offers a passkey. Default false. */
  readonly hasPasskeys?: boolean;
}

const languages: readonly (readonly [Locale, string])[] = [
  ["zh-CN", "中文"],
  ["en", "English"],
];

const languageLink = ({ query, locale }: Slip): readonly Html[] =>
  languages
    .filter(([language]) => language !== locale)
    .map(([language, name]) => {
      const to = query.get("to");
      const address = new URLSearchParams({ lang: language, ...(to !== null && { to }) }).toString();
      return html`<a href="?${address}" lang="${language}" hreflang="${language}" data-language>${name}</a>`;
    });

const body = (slip: Slip): Html =>
  html`<body>
    <header>${languageLink(slip)}</header>
    <main>
      <div class="slip">
        ${tape}
        <p class="brand">Telex<small>${slip.host}</small></p>
        ${slip.content}
      </div>
    </main>
  </body>`;

/** Written unchanged: the policy names their digests. */
const within = new Html(`<style>${style}</style><script>${script}</script>`);

const passkeys = new Html(`<script>${passkeyScript}</script>`);

const head = ({ title, locale, leadsTo, hasPasskeys = false }: Slip): Html =>
  html`<head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width,initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="robots" content="noindex" />
    <title>${title} – ${formTexts(locale).product}</title>
    ${leadsTo !== undefined && html`<meta http-equiv="refresh" content="0;url=${leadsTo}" />`}
    <link rel="icon" href="/user/icon.svg" type="image/svg+xml" />
    ${within}${hasPasskeys && passkeys}
  </head>`;

/** Writes a page. */
export function writePage(slip: Slip): FormAnswer {
  const page = html`<!doctype html>
    <html lang="${slip.locale}">
      ${head(slip)}${body(slip)}
    </html>`;
  const headers = { ...headersOf(slip), "content-language": slip.locale };
  return { status: slip.status ?? 200, headers, body: page.text };
}

/** A heading with a sentence below it. */
export const heading = (title: string, lead: Part = null): Html =>
  html`<div>
    <h1>${title}</h1>
    ${lead !== null && html`<p class="hint">${lead}</p>`}
  </div>`;

/** Sends the browser on after a form was submitted; it asks for the address with GET. */
export const goTo = (location: string): FormAnswer => ({
  status: 303,
  headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer" },
  body: null,
});
