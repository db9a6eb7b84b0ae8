import {
  type Access,
  type CapabilityName,
  type Contract,
  contracts,
  type Operation,
  operatorContracts,
} from "@telex/core/contract";
import { adminRoutes, type NotOffered, type Route, routes } from "@telex/http";
import { codeBlock, fieldTable, returned, type Shape, shapeOf } from "./schema.ts";

type Rows = Readonly<Record<string, Route | null>>;

/** A page of the reference. */
interface Chapter {
  readonly title: string;
  /** The page of the guide on the same subject. */
  readonly guide: string;
}

/** A page for each capability. */
export const chapters: Readonly<Record<CapabilityName, Chapter>> = {
  teleprinter: { title: "Teleprinter", guide: "teleprinter" },
  pairing: { title: "Pairing", guide: "teleprinter" },
  ai: { title: "AI", guide: "ai" },
  images: { title: "Images", guide: "images" },
  avatars: { title: "Avatars", guide: "avatars" },
  bucket: { title: "Files", guide: "files" },
  users: { title: "Users", guide: "users" },
  messages: { title: "Messages", guide: "messages" },
  rooms: { title: "Rooms", guide: "groups" },
};

const accessWords = {
  none: "nobody in particular: no token",
  token: "the holder of any valid token",
  chat: "the holder of a token with the scope `chat`",
  device: "the holder of a token with the scope `chat`, or `device:<deviceId>` for this device",
  operator: "the operator, and the holder of a token with the scope `admin`",
} as const;

function accessOf(access: Access): string {
  if (typeof access !== "object") return accessWords[access];
  const setting = `access${access.family.slice(0, 1).toUpperCase()}${access.family.slice(1)}`;
  return `anyone; if the setting \`${setting}\` is \`token\`, the holder of a token with the scope \`chat\``;
}

const errorLink = (code: string): string => `[\`${code}\`](../errors.md#${code})`;

function answerOf(route: Route | null, output: Shape): string {
  if (route?.response === "text") return "Returns: the text itself, `text/plain`, and `X-Cache`.";
  if (route?.response === "jpeg") return "Returns: the picture, `image/jpeg`.";
  if (route?.response === "stream") return "Returns: a download.";
  if (route?.response === "file") return "Returns: the file.";
  if (route !== null && route.response !== "envelope") return "Returns: a stream of server-sent events.";
  return `Returns${route === null ? "" : " as `data`"}:${returned(output.schema)}`;
}

/** One operation: its address, access, input, output and errors. */
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
export function capabilityPage(capability: CapabilityName): string {
  const { title, guide } = chapters[capability];
  const rows: Rows = routes[capability];
  const named = new Map<string, Shape["schema"]>();
  const operations = Object.entries<Operation>(contracts[capability]);
  const sections = operations.map(([name, operation]) => operationSection(name, operation, rows[name] ?? null, named));
  const off = operations.filter(([name]) => rows[name] === null).map(([name]) => `\`${name}\``);
  const note =
    off.length === 0
      ? []
      : [
          `Without a row of their own in HTTP: ${off.join(", ")}. They are called in the
process (\`telex.<capability>.<operation>\`), over a [socket](websocket.md), or in the form of another interface.`,
        ];
  const about = `The guide: [${guide}](../guide/${guide}.md).`;
  return [`# ${title}`, about, ...note, ...sections, ...shapesSection(named)].join("\n\n");
}

const adminRows: Readonly<Record<string, Readonly<Record<string, Route | NotOffered>>>> = adminRoutes;

function adminRouteOf(service: string, name: string): Route | null {
  const route = adminRows[service]?.[name];
  return route === undefined || "notOffered" in route ? null : route;
}

/** The page of the operator's operations, which admins call over HTTP. */
export function operatorPage(): string {
  const named = new Map<string, Shape["schema"]>();
  const sections = Object.entries<Contract>({ ...operatorContracts }).flatMap(([service, contract]) =>
    Object.entries(contract).map(([name, operation]) =>
      operationSection(`${service}.${name}`, operation, adminRouteOf(service, name), named),
    ),
  );
  const about = `What the operator of an installation does: in the process as \`telex.operator.<service>.<operation>(operator,
input)\`, on the command line as \`telex user\`, \`token\`, \`group\`, \`device\`, \`quota\`, \`files\` and \`bot\`, and over HTTP with a token
that has the scope \`admin\`. The guide: [administration](../guide/administration.md).`;
  return ["# Operator", about, ...sections, ...shapesSection(named)].join("\n\n");
}
