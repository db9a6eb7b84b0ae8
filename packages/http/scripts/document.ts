import { errorCodes } from "@telex/core";
import { chatEvent, type Operation } from "@telex/core/contract";
import { z } from "zod";
import {
  createDocument,
  type ZodOpenApiMediaTypeObject,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiResponseObject,
} from "zod-openapi";
import { failuresOf, securityOf, template } from "../src/pages/describe.ts";
import { type InstanceOperation, routedOperations } from "../src/endpoints/operations.ts";
import { pathFields, type ResponseKind, type Route } from "../src/routes.ts";
import { openAiPaths, openAiSchemas } from "./openai-document.ts";

const tags: Readonly<Record<InstanceOperation["chapter"] | "openai", string>> = {
  teleprinter: "Plain text between a user's page and a device.",
  pairing: "How a device gets a token: it shows a code, and its owner enters it.",
  ai: "The quota and the conversations of a user.",
  openai: "The models in the form of OpenAI's interface, for programs that speak it. Failures have its form, too.",
  images: "Pictures as text.",
  avatars: "Avatars of users and groups, here and in the external network.",
  bucket: "Uploads, upload codes and downloads.",
  users: "Who a token belongs to.",
  messages: "The messages of chat rooms.",
  rooms: "The chat rooms of a user: lists, members, and what was read.",
  admin: "What the operator does, for tokens with the scope `admin`. Only the operator issues them.",
};

const description = `Teleprinter, AI conversation data, image to text, avatars, files, user information and message history.

Every answer in JSON has the three fields \`code\`, \`msg\` and \`data\`; \`code\` is the HTTP status. A failure carries a
stable word in \`data.error\`: branch on that, not on \`msg\`, whose language follows \`Accept-Language\`.`;

const issue = z.object({ path: z.string(), message: z.string() });

const failure = z
  .object({
    code: z.int().meta({ description: "The HTTP status." }),
    msg: z.string().meta({ description: "For a person, in Chinese or English." }),
    data: z.object({ error: z.enum(errorCodes), issues: z.array(issue).optional() }),
  })
  .meta({ id: "Failure" });

const binary = { type: "string", format: "binary" } as const;

const [delta, result, toolRequest, tool] = chatEvent.options;

/** The data of each event, by its name. */
const eventData = {
  ChatDelta: delta.omit({ kind: true }).meta({ id: "ChatDelta" }),
  ChatResult: result.omit({ kind: true }).meta({ id: "ChatResult" }),
  ChatToolRequest: toolRequest.omit({ kind: true }).meta({ id: "ChatToolRequest" }),
  ChatTool: tool.omit({ kind: true }).meta({ id: "ChatTool" }),
  OperationFailed: failure,
};

/** An event of a stream, as OpenAPI 3.2 describes it: its data is a text that holds JSON. */
const chatEventItem: ZodOpenApiMediaTypeObject["itemSchema"] = {
  oneOf: Object.entries(eventData).map(([event, data]) => ({
    type: "object",
    required: ["id", "event", "data"],
    properties: {
      id: { type: "string", description: "For `Last-Event-ID`." },
      event: { type: "string", const: event },
      data: {
        type: "string",
        contentMediaType: "application/json",
        contentSchema: { $ref: `#/components/schemas/${data.meta()?.id}` },
      },
      retry: {
        type: "integer",
        minimum: 0,
        description: "Milliseconds until a client that lost the stream comes back.",
      },
    },
  })),
};

const fieldsOf = ({ input }: Operation): Readonly<Record<string, z.ZodType>> =>
  input instanceof z.ZodObject ? input.shape : {};

const pick = (fields: Readonly<Record<string, z.ZodType>>, wanted: (name: string) => boolean) =>
  z.object(Object.fromEntries(Object.entries(fields).filter(([name]) => wanted(name))));

const failures = (routed: InstanceOperation): Record<string, ZodOpenApiResponseObject> =>
  Object.fromEntries(
    failuresOf(routed).map(([status, words]) => [
      status,
      { description: words, content: { "application/json": { schema: failure } } },
    ]),
  );

const successes: Readonly<Record<ResponseKind, (operation: Operation) => ZodOpenApiResponseObject>> = {
  envelope({ output }) {
    const schema = z.object({ code: z.literal(200), msg: z.literal("success"), data: output });
    return { description: "Success.", content: { "application/json": { schema } } };
  },
  text: () => ({
    description: "The text; every line ends with CRLF. `X-Cache` tells whether it was rendered for this request.",
    headers: { "x-cache": { schema: { type: "string", enum: ["HIT", "MISS"] } } },
    content: { "text/plain; charset=utf-8": { schema: { type: "string" } } },
  }),
  jpeg: () => ({ description: "The picture.", content: { "image/jpeg": { schema: binary } } }),
  stream: () => ({ description: "A download.", content: { "*/*": { schema: { type: "string", format: "binary" } } } }),
  file: () => ({ description: "The file.", content: { "*/*": { schema: binary } } }),
  events: () => ({
    description:
      "Server-sent events: `ChatDelta` (`{conversationId, delta}`) for each piece, then `ChatResult`, or `OperationFailed` " +
      "with a failure in the envelope. With `tools: true` also `ChatToolRequest`, which `tool` answers, and `ChatTool` for a " +
      "call that is over. A client that lost the stream asks again with `Last-Event-ID` within seconds.",
    content: { "text/event-stream": { itemSchema: chatEventItem } },
  }),
};

function requestBody(operation: Operation, route: Route): Pick<ZodOpenApiOperationObject, "requestBody"> {
  if (route.input === "json") {
    const inPath = pathFields(route.path);
    const schema = inPath.length === 0 ? operation.input : pick(fieldsOf(operation), (name) => !inPath.includes(name));
    const text =
      route.text === undefined ? {} : { "text/plain": { schema: fieldsOf(operation)[route.text] ?? z.string() } };
    return { requestBody: { required: true, content: { "application/json": { schema }, ...text } } };
  }
  if (route.input === "query") return {};
  const form = { schema: z.object({ file: z.string().meta({ format: "binary" }) }) };
  const raw = route.raw === true ? { "*/*": { schema: binary } } : {};
  return { requestBody: { required: true, content: { "multipart/form-data": form, ...raw } } };
}

function parameters(operation: Operation, route: Route): Pick<ZodOpenApiOperationObject, "requestParams"> {
  const inPath = pathFields(route.path);
  const fields = fieldsOf(operation);
  const path = pick(fields, (name) => inPath.includes(name));
  const beside = pick(fields, (name) => !inPath.includes(name) && name !== route.text);
  const ofText = route.text === undefined ? z.object({}) : beside.partial();
  const query = route.input === "query" ? beside : ofText;
  return { requestParams: { path, query } };
}

function operationObject(routed: InstanceOperation): ZodOpenApiOperationObject {
  const { chapter, name, operation, route } = routed;
  return {
    operationId: name,
    tags: [chapter],
    summary: operation.summary,
    security: securityOf(operation, route),
    ...parameters(operation, route),
    ...requestBody(operation, route),
    responses: { 200: successes[route.response](operation), ...partial(route), ...failures(routed) },
  };
}

/** The answers to conditional requests and ranges. */
function partial({ response }: Route): Record<string, ZodOpenApiResponseObject> {
  const known = { 304: { description: "What `If-None-Match` names is still right." } };
  if (response === "jpeg") return known;
  if (response !== "file") return {};
  return {
    206: { description: "The range that was asked for.", content: { "*/*": { schema: binary } } },
    ...known,
    416: {
      description: "The file does not have the requested bytes.",
      content: { "application/json": { schema: failure } },
    },
  };
}

/** The OpenAPI document of every operation that HTTP has, made from the contracts. */
export function buildDocument(): object {
  const paths = Object.groupBy(routedOperations(), ({ route }) => template(route.path));
  const document: ZodOpenApiObject = {
    openapi: "3.2.0",
    info: { title: "Telex", version: "1", description, license: { name: "MIT", identifier: "MIT" } },
    servers: [{ url: "/" }],
    tags: Object.entries(tags).map(([name, text]) => ({ name, description: text })),
    paths: {
      ...Object.fromEntries(
        Object.entries(paths).map(([path, operations = []]) => [
          path,
          Object.fromEntries(operations.map((routed) => [routed.route.method.toLowerCase(), operationObject(routed)])),
        ]),
      ),
      ...openAiPaths,
    },
    components: {
      schemas: { ...eventData, ...openAiSchemas },
      securitySchemes: {
        header: { type: "http", scheme: "bearer" },
        query: { type: "apiKey", in: "query", name: "access_token" },
      },
    },
  };
  // Responses may get new fields: a client that rejects them would break.
  return createDocument(document, {
    override({ jsonSchema, io }) {
      if (io === "output") delete jsonSchema.additionalProperties;
    },
  });
}
