import { z } from "zod";
import type { ZodOpenApiMediaTypeObject, ZodOpenApiOperationObject } from "zod-openapi";
import { responseFates } from "../src/openai/response-request.ts";
import {
  anything,
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

const content = text(0, 1_000_000);

const textPart = z.object({ type: z.enum(["input_text", "output_text", "text"]), text: content });

const refusalPart = z.object({ type: z.literal("refusal"), refusal: content });

const imagePart = z.object({
  type: z.literal("input_image"),
  image_url: imageUrl,
  detail: z.enum(["auto", "low", "high"]).nullable().optional(),
});

const texts = z.union([content, z.array(z.union([textPart, refusalPart])).max(1000)]);

const own = { id: anything, status: anything };

const item = z
  .union([
    z.strictObject({
      type: z.literal("message").optional(),
      role: z.enum(["system", "developer", "assistant"]),
      content: texts,
      phase: anything,
      ...own,
    }),
    z.strictObject({
      type: z.literal("message").optional(),
      role: z.literal("user"),
      content: z.union([content, z.array(z.union([textPart, imagePart])).max(1000)]),
      phase: anything,
      ...own,
    }),
    z.strictObject({
      type: z.literal("function_call"),
      call_id: text(1, 256),
      name: toolName,
      arguments: content,
      ...own,
    }),
    z.strictObject({ type: z.literal("function_call_output"), call_id: text(1, 256), output: texts, ...own }),
  ])
  .meta({ id: "OpenAiInputItem", description: "Pictures and calls only for models that take them." });

const tool = z.object({
  type: z.literal("function"),
  name: toolName,
  description: text(0, 10_000).nullable().optional(),
  parameters: z.record(z.string(), z.unknown()).nullable().optional().meta({ description: "A JSON schema." }),
  strict: z.boolean().nullable().optional(),
});

const toolChoice = z.union([
  z.enum(["auto", "none", "required"]),
  z.object({ type: z.literal("function"), name: toolName }),
]);

const never = z.literal(false).nullable().optional();

const replyFormat = z.union([
  z.object({ type: z.enum(["text", "json_object"]) }),
  z.strictObject({ type: z.literal("json_schema"), ...schemaOf }),
]);

const request = z
  .strictObject(
    fieldsOf(responseFates, {
      model: text(1, 128).nullable().optional().meta({ description: "Default: the first model." }),
      input: z.union([content, z.array(item).min(1).max(2000)]),
      instructions: content.nullable().optional().meta({ description: "The first system message." }),
      max_output_tokens: limit.meta({ description: "At most the maximum of the model." }),
      metadata: z.record(z.string(), z.unknown()).nullable().optional().meta({ description: "Returned unchanged." }),
      stream: z.boolean().nullable().optional(),
      stream_options: streamOptions,
      store: never,
      background: never,
      text: z
        .strictObject({ format: replyFormat.nullable().optional(), verbosity: settingTypes.verbosity })
        .nullable()
        .optional()
        .meta({ description: "As `response_format` and `verbosity` of chat completions." }),
      reasoning: z
        .strictObject({
          effort: settingTypes.effort,
          summary: anything,
          generate_summary: anything,
          context: anything,
          mode: anything,
        })
        .nullable()
        .optional()
        .meta({
          description:
            "`effort` as `reasoning_effort` of chat completions. The others are not passed on, and named in `x-telex-ignored`.",
        }),
      truncation: z.literal("disabled").nullable().optional(),
      tools: z
        .array(tool)
        .max(128)
        .optional()
        .meta({ description: "Reach models with `tools`, and are refused for others." }),
      tool_choice: toolChoice
        .nullable()
        .optional()
        .meta({ description: 'As `tools`. `"auto"` and `"none"` are accepted for every model.' }),
      parallel_tool_calls: z.boolean().nullable().optional(),
      temperature: settingTypes.temperature,
      top_p: settingTypes.top_p,
      top_logprobs: z.literal(0).nullable().optional(),
      context_management: z.array(anything).max(0).nullable().optional(),
      include: z
        .array(z.string())
        .nullable()
        .optional()
        .meta({ description: "`message.output_text.logprobs` is refused." }),
      conversation: nothing,
      previous_response_id: nothing,
      image: nothing,
      moderation: nothing,
      prompt: nothing,
    }),
  )
  .meta({ id: "OpenAiResponseRequest" });

const outputItem = z.union([
  z.object({
    id: z.string(),
    type: z.literal("message"),
    role: z.literal("assistant"),
    status: z.enum(["in_progress", "completed", "incomplete"]),
    content: z.array(z.object({ type: z.literal("output_text"), text: z.string(), annotations: z.array(z.unknown()) })),
  }),
  z.object({
    id: z.string(),
    type: z.literal("function_call"),
    status: z.enum(["in_progress", "completed", "incomplete"]),
    call_id: z.string(),
    name: z.string(),
    arguments: z.string(),
  }),
]);

const usage = z.object({
  input_tokens: z.int(),
  input_tokens_details: z.object({ cached_tokens: z.int() }),
  output_tokens: z.int(),
  output_tokens_details: z.object({ reasoning_tokens: z.int() }),
  total_tokens: z.int(),
});

const response = z
  .object({
    id: z.string(),
    object: z.literal("response"),
    created_at: z.int(),
    model: z.string(),
    status: z.enum(["in_progress", "completed", "incomplete", "failed"]),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    incomplete_details: z.object({ reason: z.enum(["max_output_tokens", "content_filter"]) }).nullable(),
    output: z.array(outputItem),
    usage: usage.nullable(),
    store: z.literal(false),
  })
  .meta({ id: "OpenAiResponse" });

const event = z
  .object({ type: z.string(), sequence_number: z.int().min(0) })
  .meta({ id: "OpenAiResponseEvent", description: "The other fields are those of OpenAI's events." });

const eventItem: ZodOpenApiMediaTypeObject["itemSchema"] = {
  type: "object",
  required: ["event", "data"],
  properties: {
    event: { type: "string", description: "The `type` of the event, such as `response.output_text.delta`." },
    data: {
      type: "string",
      contentMediaType: "application/json",
      contentSchema: { $ref: "#/components/schemas/OpenAiResponseEvent" },
    },
  },
};

/** The schemas of the events. */
export const responseSchemas = { OpenAiResponseEvent: event };

/** `POST /v1/responses`. */
export const respond: ZodOpenApiOperationObject = {
  operationId: "openai.respond",
  tags: ["openai"],
  summary: "Asks a model in the form of OpenAI's responses. Nothing is kept; it counts like a chat.",
  security: [{ header: [] }],
  requestBody: { required: true, content: { "application/json": { schema: request } } },
  responses: {
    200: {
      description:
        "The response; with `stream` as events, the last of which is `response.completed`, `.incomplete` or `.failed`.",
      content: { "application/json": { schema: response }, "text/event-stream": { itemSchema: eventItem } },
    },
    ...failures(ofBody),
  },
};
