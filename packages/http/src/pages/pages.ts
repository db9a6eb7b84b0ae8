import { createHash } from "node:crypto";
import type { RoutedOperation } from "../server/operations.ts";
import type { ApiDocument } from "./reference.ts";
import type { Exchange } from "../request/exchange.ts";
import type { HttpResponse, Refuse } from "../response/http-response.ts";

/** A page of the server itself. */
export interface Page {
  readonly path: string;
  readonly answer: (exchange: Exchange, refuse: Refuse) => HttpResponse | Promise<HttpResponse>;
}

const loadDocument = async () => (await import("../openapi.json", { with: { type: "json" } })).default;

/** What the document is about besides the operations of Telex. */
interface Described {
  readonly basePath: string;
  /** The operations of plug-ins. */
  readonly routes: readonly RoutedOperation[];
}

const documentOf = async (routes: readonly RoutedOperation[]): Promise<ApiDocument> => {
  const [document, { withPlugins }] = await Promise.all([loadDocument(), import("./plugin-paths.ts")]);
  return routes.length === 0 ? document : withPlugins(document, routes);
};

/** The OpenAPI document as it is served under a base path. */
async function openApi({ basePath, routes }: Described): Promise<string> {
  const document = await documentOf(routes);
  return JSON.stringify({ ...document, servers: [{ url: basePath === "" ? "/" : basePath }] });
}

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** The reference page: no script, one style sheet within, nothing from elsewhere. */
async function reference({ basePath, routes }: Described): Promise<HttpResponse> {
  const [{ renderReference, style }, document] = await Promise.all([import("./reference.ts"), documentOf(routes)]);
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
export const createPages = (described: Described, documents: Documents): readonly Page[] => [
  {
    path: "/openapi.json",
    answer: async () => ({ status: 200, headers: jsonHeaders, body: await openApi(described) }),
  },
  ...Object.entries(documents).map(([path, make]) => ({
    path,
    answer: async () => ({ status: 200, headers: jsonHeaders, body: JSON.stringify(make()) }),
  })),
  { path: "/reference", answer: () => reference(described) },
];
