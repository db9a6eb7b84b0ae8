import { readFile } from "node:fs/promises";
import { style } from "./style.ts";

/** A file of the reference. */
export interface ReferenceFile {
  /** Its `Content-Type`. */
  readonly type: string;
  /** Reads it. A server calls this once, for the first request. */
  readonly read: () => Promise<Uint8Array>;
}

/** The paths of a reference on its server. */
export interface ReferenceOptions {
  /** The path of the server, such as `/telex`; empty for none. */
  readonly basePath: string;
  /** The paths of the OpenAPI and AsyncAPI documents that it shows, without the base path. The first one is shown first. */
  readonly documents: readonly string[];
}

/** An interactive reference for `/reference`, with files below it. */
export interface Reference {
  /** The files, by their names below `/reference/`. */
  readonly files: Readonly<Record<string, ReferenceFile>>;
  /** @returns the page */
  readonly render: (options: ReferenceOptions) => string;
  /** The `Content-Security-Policy` of the page: scripts, calls and pictures of its own server only. */
  readonly contentSecurityPolicy: string;
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  // Scalar writes style elements and style attributes.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

const titles: Readonly<Record<string, string>> = { "/openapi.json": "HTTP", "/asyncapi.json": "Sockets" };

/** Options of Scalar. Nothing is loaded from its authors or sent to them. */
const optionsOf = ({ basePath, documents }: ReferenceOptions) => ({
  sources: documents.map((path) => ({ url: basePath + path, title: titles[path] ?? path, slug: path.slice(1, -5) })),
  theme: "none",
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: "",
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: "never",
  operationTitleSource: "path",
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  featuredClients: ["shell/curl", "js/fetch", "python/requests", "go/native"],
});

/** JSON within HTML: `<` could end the script element. */
const quoted = (value: object): string => JSON.stringify(value).replaceAll("<", "\\u003c");

/** Scalar sends `Authorization: Bearer` where no token was typed. Without the header, the session of the browser counts. */
const start = `const options = JSON.parse(document.getElementById("options").textContent);
options.onRequestBuilt = ({ request }) => {
  if (/^bearer\\s*$/i.test(request.headers.get("authorization") ?? "")) request.headers.delete("authorization");
};
Scalar.createApiReference("#reference", options);
`;

const text = (type: string, content: string): ReferenceFile => ({
  type: `${type}; charset=utf-8`,
  read: async () => Buffer.from(content),
});

/** The reference of this package. Give it to `createHttp` of `@telex/http` as `reference`. */
export const reference: Reference = {
  files: {
    "scalar.js": {
      type: "text/javascript; charset=utf-8",
      read: () => readFile(new URL("../vendor/scalar.js", import.meta.url)),
    },
    "start.js": text("text/javascript", start),
    "style.css": text("text/css", style),
  },
  render: (options) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Telex reference</title>
<link rel="stylesheet" href="${options.basePath}/reference/style.css">
</head>
<body>
<noscript><p>This reference needs scripts. <a href="${options.basePath}/reference/plain">The plain list of all calls</a> needs none.</p></noscript>
<div id="reference"></div>
<script type="application/json" id="options">${quoted(optionsOf(options))}</script>
<script src="${options.basePath}/reference/scalar.js"></script>
<script src="${options.basePath}/reference/start.js"></script>
</body>
</html>
`,
  contentSecurityPolicy: policy.join("; "),
};
