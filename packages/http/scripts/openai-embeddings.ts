import { z } from "zod";
import type { ZodOpenApiOperationObject } from "zod-openapi";
import { anything, failures, ofBody, text } from "./openai-common.ts";

const one = text(1, 1_000_000);
const tokens = z.array(z.int().min(0).max(Number.MAX_SAFE_INTEGER)).min(1).max(131_072);

const request = z
  .strictObject({
    model: text(1, 128),
    input: z
      .union([one, z.array(one).min(1).max(2048), tokens, z.array(tokens).min(1).max(2048)])
      .meta({ description: "A text, the numbers of its tokens in the model, or a list of either." }),
    encoding_format: z.enum(["float", "base64"]).nullable().optional().meta({ description: "Default: `float`." }),
    dimensions: z.int().min(1).max(16_384).nullable().optional(),
    user: anything.meta({ description: "Accepted. It changes nothing." }),
  })
  .meta({ id: "OpenAiEmbeddingRequest" });

const response = z
  .object({
    object: z.literal("list"),
    data: z.array(
      z.object({
        object: z.literal("embedding"),
        index: z.int().min(0),
        embedding: z
          .union([z.array(z.number()), z.string()])
          .meta({ description: "Numbers of 32 bits; in base64, the lowest byte of each comes first." }),
      }),
    ),
    model: z.string(),
    usage: z.object({ prompt_tokens: z.int(), total_tokens: z.int() }),
  })
  .meta({ id: "OpenAiEmbeddings" });

/** `POST /v1/embeddings`. */
export const embed: ZodOpenApiOperationObject = {
  operationId: "openai.embed",
  tags: ["openai"],
  summary: "Turns texts into vectors, in the form of OpenAI. A call counts like a reply.",
  security: [{ header: [] }],
  requestBody: { required: true, content: { "application/json": { schema: request } } },
  responses: {
    200: { description: "One vector for each text.", content: { "application/json": { schema: response } } },
    ...failures(ofBody),
  },
};
