import { capabilityNames, contracts } from "@telex/core/contract";
import { format } from "oxfmt";
import { errorTable } from "./errors.ts";
import { openAiPage } from "./openai.ts";
import { capabilityPage, chapters, operatorPage } from "./operations.ts";
import { settingTable } from "./settings.ts";
import { socketsPage } from "./sockets.ts";

/** The generated part of pages that are otherwise written by hand, by path. Two marks enclose it. */
export const partial: Readonly<Record<string, () => string | Promise<string>>> = {
  "docs/errors.md": errorTable,
  "docs/configuration.md": settingTable,
};

const warning = "<!-- Made by `npm run reference` from the contracts. Change those, not this page. -->";

function indexPage(): string {
  const rows = capabilityNames.map(
    (name) => `| [${chapters[name].title}](${name}.md) | ${Object.keys(contracts[name]).join(", ")} |`,
  );
  return `# Reference

Every operation with its address, its fields, what comes back and how it fails, made from the contracts in
\`packages/core/src/<capability>/contract.ts\`. A running server has the same as an OpenAPI 3.2 document at \`/openapi.json\`, and as
a page at \`/reference\`. The document is also on the site of these pages, at \`/openapi.json\`, and in the package \`@telex/http\`, as
\`dist/openapi.json\`.

| Page | Operations |
| --- | --- |
${rows.join("\n")}
| [In the form of OpenAI](openai.md) | chat completions, responses, embeddings, models |
| [Sockets](websocket.md) | what goes over WebSockets |
| [Operator](operator.md) | users, tokens, rooms, devices, quotas, files and bots, for the operator and admins |

Every answer in JSON is an envelope \`{code, msg, data}\`; pages show its \`data\`. A failure has \`{error, issues?}\` there:
see [errors](../errors.md). An id in a request may be a number or its decimal digits. Besides the errors that are named,
every operation can fail with \`invalid_request\`, \`invalid_token\`, \`insufficient_scope\`, \`rate_limited\`, \`storage_full\`,
\`storage_unavailable\`, \`shutting_down\` and \`internal\`.`;
}

/** Every generated page by its path, before it is formatted. */
function rawPages(): ReadonlyMap<string, string> {
  const pages = capabilityNames.map((name) => [`docs/reference/${name}.md`, capabilityPage(name)] as const);
  return new Map([
    ["docs/reference/index.md", indexPage()],
    ...pages,
    ["docs/reference/operator.md", operatorPage()],
    ["docs/reference/openai.md", openAiPage()],
    ["docs/reference/websocket.md", socketsPage()],
  ]);
}

/** The page with the content between its marks replaced. */
function fillPage(path: string, page: string, content: string): string {
  const parts = /^([\s\S]*<!-- generated -->\n)[\s\S]*(\n<!-- \/generated -->[\s\S]*)$/.exec(page);
  if (parts === null) throw new TypeError(`${path} lacks the marks <!-- generated --> and <!-- /generated -->.`);
  return `${parts[1] ?? ""}\n${content}\n${parts[2] ?? ""}`;
}

async function formatPage(path: string, page: string): Promise<string> {
  const { code, errors } = await format(path, page, { printWidth: 120 });
  if (errors.length > 0) throw new TypeError(`${path} cannot be formatted: ${errors[0]?.message ?? ""}`);
  return code;
}

/**
 * The required content of every generated page, by path.
 * @param read reads a page of which a part is generated
 */
export async function makePages(read: (path: string) => Promise<string>): Promise<ReadonlyMap<string, string>> {
  const whole = await Promise.all(
    [...rawPages()].map(async ([path, page]) => [path, await formatPage(path, `${warning}\n\n${page}\n`)] as const),
  );
  const parts = await Promise.all(
    Object.entries(partial).map(async ([path, make]) => {
      const page = fillPage(path, await read(path), await make());
      return [path, await formatPage(path, page)] as const;
    }),
  );
  return new Map([...whole, ...parts]);
}
