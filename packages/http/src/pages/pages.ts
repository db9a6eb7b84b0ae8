import { createHash } from "node:crypto";
import type { HttpResponse } from "../response/http-response.ts";

/** A page of the server itself. */
export interface Page {
  readonly path: string;
  readonly answer: () => Promise<HttpResponse>;
}

const loadDocument = async () => (await import("../openapi.json", { with: { type: "json" } })).default;

/** The OpenAPI document as it is served under a base path. */
async function openApi(basePath: string): Promise<string> {
  const document = await loadDocument();
  return JSON.stringify({ ...document, servers: [{ url: basePath === "" ? "/" : basePath }] });
}

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** The reference page: no script, one style sheet within, nothing from elsewhere. */
async function reference(basePath: string): Promise<HttpResponse> {
  const [{ renderReference, style }, document] = await Promise.all([import("./reference.ts"), loadDocument()]);
  return {
    status: 200,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": `default-src 'none'; style-src ${hashOf(style)}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      "cache-control": "no-cache",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    },
    body: renderReference(document, basePath),
  };
}

const jsonHeaders = {
  "content-type": "application/json; charset=utf-8",
  "cache-control": "no-cache",
  "x-content-type-options": "nosniff",
} as const;

/** Documents by their paths, such as `/asyncapi.json`. Each is made when it is asked for. */
export type Documents = Readonly<Record<string, () => object>>;

/** `/openapi.json`, `/reference` and further documents, made when they are asked for. */
export const createPages = (basePath: string, documents: Documents): readonly Page[] => [
  {
    path: "/openapi.json",
    answer: async () => ({ status: 200, headers: jsonHeaders, body: await openApi(basePath) }),
  },
  ...Object.entries(documents).map(([path, make]) => ({
    path,
    answer: async () => ({ status: 200, headers: jsonHeaders, body: JSON.stringify(make()) }),
  })),
  { path: "/reference", answer: () => reference(basePath) },
];
