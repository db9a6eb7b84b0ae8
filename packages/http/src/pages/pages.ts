import { createHash } from "node:crypto";
import type { RoutedOperation } from "../endpoints/operations.ts";
import type { ApiDocument } from "./reference.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { HttpResponse, Refuse } from "../response/http-response.ts";
import { keepFile, keepLargeFile, type KeptFile, keptResponse } from "../response/kept.ts";
import type { InteractiveReference } from "./interactive.ts";

/** A page of the server itself. */
export interface Page {
  readonly path: string;
  readonly answer: (exchange: Exchange, refuse: Refuse) => HttpResponse | Promise<HttpResponse>;
}

const loadDocument = async () => (await import("../openapi.json", { with: { type: "json" } })).default;

/** The parts of the document in addition to the operations of Telex. */
interface Described {
  readonly basePath: string;
  /** The operations of plug-ins. */
  readonly routes: readonly RoutedOperation[];
  readonly reference: InteractiveReference | undefined;
}

const documentOf = async (routes: readonly RoutedOperation[]): Promise<ApiDocument> => {
  const [document, { withPlugins }] = await Promise.all([loadDocument(), import("./plugin-paths.ts")]);
  return routes.length === 0 ? document : withPlugins(document, routes);
};

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const commonHeaders = { "cache-control": "no-cache", "x-content-type-options": "nosniff" } as const;

const keepJson = (document: object): KeptFile =>
  keepFile(Buffer.from(JSON.stringify(document)), {
    ...commonHeaders,
    "content-type": "application/json; charset=utf-8",
  });

/** The reference page: no script, one inline style sheet, nothing from elsewhere. */
async function keepReference(document: ApiDocument, basePath: string): Promise<KeptFile> {
  const [{ renderReference }, { style }] = await Promise.all([
    import("./reference.ts"),
    import("./reference-style.ts"),
  ]);
  return keepFile(Buffer.from(renderReference(document, basePath)), {
    ...commonHeaders,
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": `default-src 'none'; style-src ${hashOf(style)}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    "referrer-policy": "no-referrer",
  });
}

/** Documents by their paths, such as `/asyncapi.json`. Each is made once, for the first request. */
export type Documents = Readonly<Record<string, () => object>>;

/** A page that the first request creates and the others share. If that fails, the next request tries again. */
function keptPage(path: string, make: () => Promise<KeptFile>): Page {
  let file: Promise<KeptFile> | null = null;
  const keep = async (): Promise<KeptFile> => {
    try {
      return await make();
    } catch (cause) {
      file = null;
      throw cause;
    }
  };
  return { path, answer: async (exchange) => keptResponse(await (file ??= keep()), exchange) };
}

function keepInteractive(reference: InteractiveReference, basePath: string, documents: readonly string[]): KeptFile {
  return keepFile(Buffer.from(reference.render({ basePath, documents })), {
    ...commonHeaders,
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": reference.contentSecurityPolicy,
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "no-referrer",
  });
}

/** An interactive reference, its files, and the plain one at another path. */
const interactivePages = (reference: InteractiveReference, basePath: string, documents: readonly string[]): Page[] => [
  keptPage("/reference", async () => keepInteractive(reference, basePath, documents)),
  ...Object.entries(reference.files).map(([name, { type, read }]) =>
    keptPage(`/reference/${name}`, async () => keepLargeFile(await read(), { ...commonHeaders, "content-type": type })),
  ),
];

/** `/openapi.json`, `/reference` and further documents: the same for all callers, created once for each instance. */
export function createPages({ basePath, routes, reference }: Described, documents: Documents): readonly Page[] {
  const paths = ["/openapi.json", ...Object.keys(documents)];
  const plain = reference === undefined ? "/reference" : "/reference/plain";
  const servers = [{ url: basePath === "" ? "/" : basePath }];
  return [
    keptPage("/openapi.json", async () => keepJson({ ...(await documentOf(routes)), servers })),
    ...Object.entries(documents).map(([path, make]) => keptPage(path, async () => keepJson(make()))),
    keptPage(plain, async () => keepReference(await documentOf(routes), basePath)),
    ...(reference === undefined ? [] : interactivePages(reference, basePath, paths)),
  ];
}
