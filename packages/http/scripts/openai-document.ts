import { z } from "zod";
import type { ZodOpenApiMediaTypeObject, ZodOpenApiObject, ZodOpenApiOperationObject } from "zod-openapi";
import { chatFates } from "../src/openai/request.ts";
import {
  anything,
  common,
  failure,
  failures,
  fieldsOf,
  imageUrl,
  limit,
  nothing,
  ofBody,
  schemaOf,
  settingTypes,
  streamOptions,
  text,
  toolName,
} from "./openai-common.ts";
import { embed } from "./openai-embeddings.ts";
import { respond, responseSchemas } from "./openai-responses.ts";

const textPart = z.object({ type: z.literal("text"), text: text(0, 1_000_000) });

const imagePart = z.object({
  type: z.literal("image_url"),
  image_url: z.object({
    url: imageUrl,
    detail: z.enum(["auto", "low", "high"]).optional(),
  }),
});

const toolCall = z
  .object({
    id: text(1, 256),
    type: z.literal("function"),
    function: z.object({ name: toolName, arguments: text(0, 1_000_000) }),
  })
  .meta({ id: "OpenAiToolCall" });

const content = z.union([text(0, 1_000_000), z.array(textPart).max(1000)]);

const message = z
  .union([
    z.strictObject({ role: z.enum(["system", "developer"]), name: anything, content }),
    z.strictObject({
      role: z.literal("user"),
      name: anything,
      content: z.union([text(0, 1_000_000), z.array(z.union([textPart, imagePart])).max(1000)]),
    }),
    z.strictObject({
      role: z.literal("assistant"),
      name: anything,
      refusal: anything,
      annotations: anything,
      audio: nothing,
      function_call: nothing,
      content: content.nullable().optional(),
      tool_calls: z.array(toolCall).min(1).max(128).optional(),
    }),
    z.strictObject({ role: z.literal("tool"), content, tool_call_id: text(1, 256) }),
  ])
  .meta({ id: "OpenAiMessage", description: "Pictures and tools only for models that take them." });

const tool = z.object({
  type: z.literal("function"),
  function: z.object({
    name: toolName,
    description: text(0, 10_000).optional(),
    parameters: z.record(z.string(), z.unknown()).optional().meta({ description: "A JSON schema." }),
    strict: z.boolean().nullable().optional(),
  }),
});

const maximum = "At most the maximum of the model. Reaches the service of the model under this name.";

const never = z.literal(false).nullable().optional();

const request = z
  .strictObject(
    fieldsOf(chatFates, {
      model: text(1, 128).nullable().optional().meta({ description: "Default: the first model." }),
      messages: z
        .array(message)
        .min(1)
        .max(2000)
        .meta({ description: "A `name` is not passed on, and named in `x-telex-ignored`." }),
      max_tokens: limit.meta({ description: maximum }),
      max_completion_tokens: limit.meta({ description: maximum }),
      stop: z
        .union([text(1, 256), z.array(text(1, 256)).max(4)])
        .nullable()
        .optional()
        .meta({ description: "For every model: Telex ends the reply before the first of these texts." }),
      response_format: z
        .union([
          z.object({ type: z.enum(["text", "json_object"]) }),
          z.object({ type: z.literal("json_schema"), json_schema: z.strictObject(schemaOf) }),
        ])
        .nullable()
        .optional()
        .meta({
          description:
            "Other formats than `text` reach models with the setting `responseFormat`, and are refused for others.",
        }),
      stream: z.boolean().nullable().optional(),
      stream_options: streamOptions,
      tools: z
        .array(tool)
        .max(128)
        .optional()
        .meta({ description: "Reach models with `tools`, and are refused for others." }),
      tool_choice: z
        .union([
          z.enum(["auto", "none", "required"]),
          z.object({ type: z.literal("function"), function: z.object({ name: toolName }) }),
        ])
        .optional()
        .meta({ description: 'As `tools`. `"auto"` and `"none"` are accepted for every model.' }),
      parallel_tool_calls: z.boolean().optional(),
      temperature: settingTypes.temperature,
      top_p: settingTypes.top_p,
      frequency_penalty: settingTypes.frequency_penalty,
      presence_penalty: settingTypes.presence_penalty,
      seed: settingTypes.seed,
      reasoning_effort: settingTypes.effort,
      verbosity: settingTypes.verbosity,
      logit_bias: z.strictObject({}).nullable().optional(),
      n: z.literal(1).nullable().optional(),
      logprobs: never,
      top_logprobs: z.literal(0).nullable().optional(),
      modalities: z.array(z.literal("text")).min(1).max(1).nullable().optional(),
      functions: z.array(anything).max(0).nullable().optional(),
      function_call: z.literal("none").nullable().optional(),
      audio: nothing,
      moderation: nothing,
      prediction: nothing,
      web_search_options: nothing,
    }),
  )
  .meta({ id: "OpenAiRequest" });

const usage = z
  .object({
    prompt_tokens: z.int(),
    completion_tokens: z.int(),
    total_tokens: z.int(),
    prompt_tokens_details: z.object({ cached_tokens: z.int() }).optional(),
    completion_tokens_details: z.object({ reasoning_tokens: z.int() }).optional(),
  })
  .meta({ id: "OpenAiUsage" });

const finish = z.enum(["stop", "length", "content_filter", "tool_calls"]);

const head = { id: z.string(), created: z.int(), model: z.string() };

const completion = z
  .object({
    ...head,
    object: z.literal("chat.completion"),
    choices: z.array(
      z.object({
        index: z.literal(0),
        message: z.object({
          role: z.literal("assistant"),
          content: z.string().nullable(),
          refusal: z.null(),
          tool_calls: z.array(toolCall).optional(),
        }),
        logprobs: z.null(),
        finish_reason: finish,
      }),
    ),
    usage,
  })
  .meta({ id: "OpenAiCompletion" });

const chunk = z
  .object({
    ...head,
    object: z.literal("chat.completion.chunk"),
    choices: z.array(
      z.object({
        index: z.literal(0),
        delta: z.object({
          role: z.literal("assistant").optional(),
          content: z.string().optional(),
          tool_calls: z
            .array(
              z.object({
                index: z.int().min(0),
                id: z.string().optional(),
                type: z.literal("function").optional(),
                function: z.object({ name: z.string().optional(), arguments: z.string() }),
              }),
            )
            .optional(),
        }),
        logprobs: z.null(),
        finish_reason: finish.nullable(),
      }),
    ),
    usage: usage.nullable().optional(),
  })
  .meta({ id: "OpenAiChunk" });

const models = z.object({
  object: z.literal("list"),
  data: z.array(
    z.object({ id: z.string(), object: z.literal("model"), created: z.int(), owned_by: z.literal("telex") }),
  ),
});

const eventOf = (data: object) => ({
  type: "object" as const,
  required: ["data"],
  properties: { data: { type: "string" as const, ...data } },
});

/** The data of an event: a chunk, a failure during the stream, or the word that ends the stream. */
const eventItem: ZodOpenApiMediaTypeObject["itemSchema"] = {
  anyOf: [
    ...["OpenAiChunk", "OpenAiFailure"].map((name) =>
      eventOf({ contentMediaType: "application/json", contentSchema: { $ref: `#/components/schemas/${name}` } }),
    ),
    eventOf({ const: "[DONE]" }),
  ],
};

const complete: ZodOpenApiOperationObject = {
  operationId: "openai.complete",
  tags: ["openai"],
  summary: "Asks a model in the form of OpenAI's chat completions. Nothing is kept; it counts like a chat.",
  security: [{ header: [] }],
  requestBody: { required: true, content: { "application/json": { schema: request } } },
  responses: {
    200: {
      description: "The reply; with `stream` piece by piece, then `[DONE]`.",
      content: { "application/json": { schema: completion }, "text/event-stream": { itemSchema: eventItem } },
    },
    ...failures(ofBody),
  },
};

const listModels: ZodOpenApiOperationObject = {
  operationId: "openai.models",
  tags: ["openai"],
  summary:
    "The models, in the form of OpenAI: first those that reply, the default before the others, then those of embeddings.",
  security: [{ header: [] }],
  responses: {
    200: { description: "The models.", content: { "application/json": { schema: models } } },
    ...failures(common),
  },
};

/** The endpoints in the form of OpenAI. */
export const openAiPaths: NonNullable<ZodOpenApiObject["paths"]> = {
  "/v1/chat/completions": { post: complete },
  "/v1/responses": { post: respond },
  "/v1/embeddings": { post: embed },
  "/v1/models": { get: listModels },
};

/** The schemas of these endpoints' events. */
export const openAiSchemas = { OpenAiChunk: chunk, OpenAiFailure: failure, ...responseSchemas };
