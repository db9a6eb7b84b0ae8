import { z } from "zod";
import { list, text, jsonOrUndefined } from "@telex/ground/contract";

/** A picture in the request itself: Telex and the services behind it fetch nothing for a prompt. */
const imageUrl = z
  .string()
  .max(8_000_000)
  .regex(/^data:image\/(?:png|jpeg|webp|gif);base64,[A-Za-z0-9+/]+={0,2}$/, { error: "image_data_url" });

const contentPart = z
  .object({
    text: text(0, 1_000_000).optional(),
    image: imageUrl.optional(),
    detail: z.enum(["auto", "low", "high"]).optional(),
  })
  .refine((part) => (part.text === undefined) !== (part.image === undefined), { error: "part_kind" });

const toolName = z
  .string()
  .regex(/^[\w-]{1,64}$/)
  .meta({ minLength: 1, maxLength: 64 });

const toolCall = z.object({ id: text(1, 256), name: toolName, arguments: text(0, 1_000_000) });

/** A message of a prompt that the caller puts together. */
export const promptMessage = z.object({
  role: z.enum(["system", "user", "assistant", "tool"]),
  content: text(0, 1_000_000).default(""),
  /** Text and pictures in their order, in place of `content`. */
  parts: list(contentPart, 1000).optional(),
  /** Of the role `assistant`: the calls of the model. */
  toolCalls: list(toolCall, 128).optional(),
  /** Of the role `tool`: the call that has this result. */
  toolCallId: text(1, 256).optional(),
});

function isJsonObject(json: string): boolean {
  const value = jsonOrUndefined(json);
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A JSON schema as JSON. */
const jsonSchema = text(2, 100_000).refine(isJsonObject, { error: "json_object" }).optional();
const described = z.object({
  name: toolName,
  description: text(0, 10_000).optional(),
  strict: z.boolean().nullable().optional(),
});
const penalty = z.number().min(-2).max(2).optional();

/** Settings of a reply that only some models take. */
export const replySettings = z.object({
  temperature: z.number().min(0).max(2).optional(),
  topP: z.number().min(0).max(1).optional(),
  presencePenalty: penalty,
  frequencyPenalty: penalty,
  seed: z.int().optional(),
  reasoningEffort: z.enum(["none", "minimal", "low", "medium", "high", "xhigh", "max"]).optional(),
  verbosity: z.enum(["low", "medium", "high"]).optional(),
  parallelToolCalls: z.boolean().optional(),
  /** The reply is JSON, of this schema if there is one. */
  responseFormat: described.partial({ name: true }).extend({ schema: jsonSchema }).optional(),
});

/** Settings of a reply, tools, and the texts at which it stops. */
export const replyOptions = replySettings.extend({
  tools: list(described.extend({ parameters: jsonSchema }), 128).optional(),
  toolChoice: z.union([z.enum(["auto", "none", "required"]), z.object({ name: toolName })]).optional(),
  /** The caller's name for `maxOutputTokens`, for services that accept only one. */
  limitField: z.enum(["max_tokens", "max_completion_tokens"]).optional(),
  /** The reply ends before the first of these texts. */
  stop: list(text(1, 256), 4).optional(),
});

/** A message of a prompt that the caller puts together. */
export type PromptMessage = z.output<typeof promptMessage>;
