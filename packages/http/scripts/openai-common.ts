import { z } from "zod";
import type { ZodOpenApiResponseObject } from "zod-openapi";

export const text = (minLength: number, maxLength: number) =>
  z.string().meta({ minLength, maxLength, pattern: "^[^\\u0000]*$" });

export const anything = z.unknown().optional();

/** Fields that models may ignore. */
export const ignoredOf = (fields: readonly string[]) =>
  Object.fromEntries(fields.map((field) => [field, anything.meta({ description: "Accepted and ignored." })]));

export const toolName = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);

export const limit = z.int().min(1).max(1_000_000).nullable().optional();

/** A picture in the request itself. */
export const imageUrl = z
  .string()
  .max(8_000_000)
  .regex(/^data:image\/(?:png|jpeg|webp|gif);base64,[A-Za-z0-9+/]+={0,2}$/);

export const failure = z
  .object({
    error: z.object({
      message: z.string(),
      type: z.string(),
      param: z.string().nullable(),
      code: z.string(),
    }),
  })
  .meta({ id: "OpenAiFailure" });

/** The failures of an endpoint, by their status. */
export const failures = (words: Readonly<Record<string, string>>): Record<string, ZodOpenApiResponseObject> =>
  Object.fromEntries(
    Object.entries(words).map(([status, description]) => [
      status,
      { description, content: { "application/json": { schema: failure } } },
    ]),
  );

/** The errors of every endpoint. */
export const common = {
  400: "`invalid_request`, `unsupported_parameter`, `unknown_parameter`, `context_length_exceeded`",
  401: "`invalid_api_key`",
  403: "`insufficient_scope`",
  429: "`rate_limit_exceeded`, `insufficient_quota`",
  500: "`internal`",
  503: "`ai_unavailable`, `storage_unavailable`, `shutting_down`",
};

/** The errors of an endpoint with a body. */
export const ofBody = {
  ...common,
  404: "`model_not_found`",
  408: "`timeout`",
  413: "`too_large`",
  415: "`unsupported_media`",
};
