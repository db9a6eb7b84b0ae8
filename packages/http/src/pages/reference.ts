import { renderSchema, type Schema } from "./reference-schema.ts";
import { style } from "./reference-style.ts";

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean | undefined;
  readonly description?: string | undefined;
  readonly schema: Schema;
}

interface Media {
  readonly schema?: Schema | undefined;
  /** The schema of one event of a stream. */
  readonly itemSchema?: Schema | undefined;
}

type Content = Readonly<Record<string, Media | undefined>>;

/** The fields of an operation that the page reads. */
export interface ApiOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly security: readonly object[];
  readonly parameters?: readonly Parameter[] | undefined;
  readonly requestBody?: { readonly required?: boolean; readonly content: Content } | undefined;
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
}

/** The fields of the OpenAPI document that the reference page reads. */
export interface ApiDocument {
  readonly info: { readonly title: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

const escape = (text: string): string => text.replace(/[&<>"]/g, (char) => escapes[char] ?? char);

const code = (text: string): string => escape(text).replace(/`([^`]+)`/g, "<code>$1</code>");

const section = (title: string, content: string): string => (content === "" ? "" : `<h3>${title}</h3>${content}`);

const table = (rows: readonly string[]): string => (rows.length === 0 ? "" : `<table>${rows.join("")}</table>`);

function renderParameter({ name, required, schema, description = "" }: Parameter): string {
  const about = [renderSchema(schema), required === true ? "required" : "optional"].join(", ");
  const preset = schema.default === undefined ? "" : `, default <code>${escape(String(schema.default))}</code>`;
  return `<tr><td><code>${escape(name)}</code></td><td>${escape(about)}${preset}<br>${code(description)}</td></tr>`;
}

const renderMedia = ({ schema, itemSchema }: Media): string =>
  renderSchema(schema ?? itemSchema ?? {}) + (itemSchema === undefined ? "" : "  // each event");

function renderContent(content: Content = {}): string {
  return Object.entries(content)
    .map(([type, media = {}]) => `<pre>${escape(`${type}\n${renderMedia(media)}`)}</pre>`)
    .join("");
}

function renderToken(security: readonly object[]): string {
  if (security.length === 0) return "<p>No token.</p>";
  const open = security.some((way) => Object.keys(way).length === 0);
  const query = security.some((way) => "query" in way) ? " or <code>?access_token=</code>" : "";
  return `<p>${open ? "No token, unless the installation asks for one: " : ""}<code>Authorization: Bearer</code>${query}</p>`;
}

function renderOperation(path: string, method: string, operation: ApiOperation): string {
  const { operationId, summary, security, parameters = [], requestBody, responses } = operation;
  const answers = Object.entries(responses).map(
    ([status, { description }]) => `<tr><td><code>${status}</code></td><td>${code(description)}</td></tr>`,
  );
  return `<details id="${escape(operationId)}"><summary><code class="${method}">${method.toUpperCase()}</code>
<code>${escape(path)}</code> <span>${code(summary)}</span></summary><div class="body">
${section("Token", renderToken(security))}
${section("Fields", table(parameters.map(renderParameter)))}
${section("Body", renderContent(requestBody?.content))}
${section("Answer", renderContent(responses["200"]?.content))}
${section("Statuses", table(answers))}</div></details>`;
}

const renderOperations = ({ paths }: ApiDocument, tag: string): string[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags.includes(tag))
      .map(([method, operation]) => renderOperation(path, method, operation)),
  );

function renderTag(document: ApiDocument, { name, description }: ApiDocument["tags"][number]): string {
  const operations = renderOperations(document, name).join("");
  return `<h2 id="${escape(name)}">${escape(name)}</h2><p>${code(description)}</p>${operations}`;
}

type Schemas = ApiDocument["components"]["schemas"];

const renderNamed = ([name, schema]: readonly [string, Schemas[string]]): string =>
  `<details id="schema-${escape(name)}"><summary><code>${escape(name)}</code></summary><div class="body">
<pre>${escape(renderSchema(schema))}</pre></div></details>`;

function renderSchemas(schemas: Schemas): string {
  const all = Object.entries(schemas).map(renderNamed);
  return `<h2 id="schemas">schemas</h2>${all.join("")}`;
}

/** The document as one page that needs no script and loads nothing. */
export function renderReference(document: ApiDocument, basePath: string): string {
  const { info, tags, components } = document;
  const links = [...tags.map(({ name }) => name), "schemas"].map(
    (name) => `<a href="#${escape(name)}">${escape(name)}</a>`,
  );
  const about = info.description.split("\n\n").map((paragraph) => `<p>${code(paragraph)}</p>`);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(info.title)} reference</title><style>${style}</style></head>
<body><header><h1>${escape(info.title)}</h1>${about.join("")}<nav>${links.join("")}</nav></header>
<main>${tags.map((tag) => renderTag(document, tag)).join("")}${renderSchemas(components.schemas)}</main>
<footer>Made from <a href="${escape(basePath)}/openapi.json">the OpenAPI document</a>.</footer></body></html>
`;
}
