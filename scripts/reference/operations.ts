import {
  type Access,
  aiContract,
  avatarsContract,
  bucketContract,
  type Contract,
  filesContract,
  groupsContract,
  imagesContract,
  messagesContract,
  type Operation,
  pairingContract,
  quotaContract,
  teleprinterContract,
  tokensContract,
  userAdminContract,
  usersContract,
} from "@telex/core";
import { type Route, routes } from "@telex/http";
import { codeBlock, fieldTable, returned, type Shape, shapeOf } from "./schema.ts";

type Rows = Readonly<Record<string, Route | null>>;

/** What a page of the reference tells of. */
interface Chapter {
  readonly title: string;
  readonly about: string;
  readonly contract: Contract;
  /** Null for what only the operator can call, in the process or on the command line. */
  readonly rows: Rows | null;
}

const guide = (name: string): string => `The guide: [${name}](../guide/${name}.md).`;

/** A page for each capability. */
export const capabilities: Readonly<Record<string, Chapter>> = {
  teleprinter: {
    title: "Teleprinter",
    about: guide("teleprinter"),
    contract: teleprinterContract,
    rows: routes.teleprinter,
  },
  pairing: { title: "Pairing", about: guide("teleprinter"), contract: pairingContract, rows: routes.pairing },
  ai: { title: "AI", about: guide("ai"), contract: aiContract, rows: routes.ai },
  images: { title: "Images", about: guide("images"), contract: imagesContract, rows: routes.images },
  avatars: { title: "Avatars", about: guide("avatars"), contract: avatarsContract, rows: routes.avatars },
  bucket: { title: "Files", about: guide("files"), contract: bucketContract, rows: routes.bucket },
  users: { title: "Users", about: guide("users"), contract: usersContract, rows: routes.users },
  messages: { title: "Messages", about: guide("messages"), contract: messagesContract, rows: routes.messages },
};

/** What `telex.operator` offers. */
export const operatorChapters: Readonly<Record<string, Contract>> = {
  users: userAdminContract,
  tokens: tokensContract,
  groups: groupsContract,
  quota: quotaContract,
  files: filesContract,
};

const accessWords = {
  none: "nobody in particular: no token",
  token: "the holder of any valid token",
  chat: "the holder of a token with the scope `chat`",
  device: "the holder of a token with the scope `chat`, or `device:<deviceId>` for this device",
  operator: "the operator",
} as const;

function accessOf(access: Access): string {
  if (typeof access !== "object") return accessWords[access];
  const setting = `access${access.family.slice(0, 1).toUpperCase()}${access.family.slice(1)}`;
  return `anybody; where the setting \`${setting}\` is \`token\`, the holder of a token with the scope \`chat\``;
}

const errorLink = (code: string): string => `[\`${code}\`](../errors.md#${code})`;

function answerOf(route: Route | null, output: Shape): string {
  if (route?.reply === "text") return "Comes back: the text itself, `text/plain`, and `X-Cache`.";
  if (route?.reply === "jpeg") return "Comes back: the picture, `image/jpeg`.";
  if (route?.reply === "file") return "Comes back: the file.";
  if (route !== null && route.reply !== "envelope") return "Comes back: a stream of server-sent events.";
  return `Comes back${route === null ? "" : " as `data`"}:${returned(output.schema)}`;
}

/** One operation: where it is, who may call it, what goes in, what comes out, how it fails. */
function operationSection(
  name: string,
  operation: Operation,
  route: Route | null,
  named: Map<string, Shape["schema"]>,
) {
  const [input, output] = [shapeOf(operation.input, "input"), shapeOf(operation.output, "output")];
  for (const [id, schema] of [...input.named, ...output.named]) named.set(id, schema);
  return [
    `## ${name}`,
    operation.summary,
    ...(route === null ? [] : [`\`${route.method} ${route.path}\``]),
    `Who may call it: ${accessOf(operation.access)}.`,
    fieldTable(input),
    answerOf(route, output),
    ...(operation.errors.length === 0 ? [] : [`Fails with: ${operation.errors.map(errorLink).join(", ")}.`]),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function shapesSection(named: ReadonlyMap<string, Shape["schema"]>): string[] {
  if (named.size === 0) return [];
  const blocks = [...named].map(([id, schema]) => `### ${id}\n\n${codeBlock(schema)}`);
  return ["## Shapes", ...blocks];
}

/** The page of one capability. */
export function capabilityPage({ title, about, contract, rows }: Chapter): string {
  const named = new Map<string, Shape["schema"]>();
  const sections = Object.entries(contract).map(([name, operation]) => {
    const route = rows?.[name] ?? null;
    return operationSection(name, operation, route, named);
  });
  const off = Object.keys(contract).filter((name) => rows !== null && rows[name] === null);
  const note =
    off.length === 0
      ? []
      : [
          `Without a row of their own in HTTP: ${off.map((name) => `\`${name}\``).join(", ")}. They are called in the
process (\`telex.<capability>.<operation>\`), over a [socket](websocket.md), or in the form of another interface.`,
        ];
  return [`# ${title}`, about, ...note, ...sections, ...shapesSection(named)].join("\n\n");
}

/** The page of what only the operator may do. */
export function operatorPage(): string {
  const named = new Map<string, Shape["schema"]>();
  const chapters = Object.entries(operatorChapters).map(([service, contract]) =>
    Object.entries(contract)
      .map(([name, operation]) => operationSection(`${service}.${name}`, operation, null, named))
      .join("\n\n"),
  );
  const about = `What the operator of an installation does: in the process as \`telex.operator.<service>.<operation>(operator,
input)\`, on the command line as \`telex user\`, \`token\`, \`group\`, \`quota\` and \`files\`. None of it is reachable over a network.`;
  return ["# Operator", about, ...chapters, ...shapesSection(named)].join("\n\n");
}
