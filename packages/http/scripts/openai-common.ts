import { z } from "zod";
import type { ZodOpenApiResponseObject } from "zod-openapi";
import type { FieldFate, FieldFates } from "../src/openai/fates.ts";

export const text = (minLength: number, maxLength: number) =>
  z.string().meta({ minLength, maxLength, pattern: "^[^\\u0000]*$" });

export const anything = z.unknown().optional();

/** A field that must not have a value. */
export const nothing = z.null().optional();

export const streamOptions = z
  .strictObject({ include_usage: z.boolean().optional(), include_obfuscation: z.boolean().optional() })
  .nullable()
  .optional()
  .meta({ description: "`include_obfuscation` is not passed on, and named in `x-telex-ignored`." });

const listed = (values: readonly unknown[]): string =>
  values.map((value) => `\`${JSON.stringify(value)}\``).join(" or ");

/** Describes how Telex treats a field. */
function fateText({ fate, defaults, setting }: FieldFate): string | null {
  const but = defaults.length === 0 ? "" : `, except ${listed(defaults)}`;
  if (setting !== undefined) {
    return `Reaches models with the setting \`${setting}\`. For others it is named in \`x-telex-ignored\`${but}.`;
  }
  if (fate === "label") return "Accepted. It changes nothing.";
  if (fate === "ignored") return `Not passed on, and named in \`x-telex-ignored\`${but}.`;
  if (fate === "refused") return `Refused${but}.`;
  return fate === "kept" ? `Refused${but}: responses are not kept.` : null;
}

/** All fields of a document, with their treatment. Those without a type accept anything. */
export const fieldsOf = (fates: FieldFates, typed: Readonly<Record<string, z.ZodType>>): Record<string, z.ZodType> =>
  Object.fromEntries(
    [...new Set([...Object.keys(typed), ...Object.keys(fates)])].map((field) => {
      const schema = typed[field] ?? anything;
      const fate = fates[field];
      const sentences = [fate === undefined ? null : fateText(fate), schema.meta()?.description ?? null];
      const description = sentences.filter((one) => one !== null).join(" ");
      return [field, description === "" ? schema : schema.meta({ description })];
    }),
  );

const number = (min: number, max: number) => z.number().min(min).max(max).nullable().optional();

const effort = z.enum(["none", "minimal", "low", "medium", "high", "xhigh", "max"]).nullable().optional();

const verbosity = z.enum(["low", "medium", "high"]).nullable().optional();

/** The types of the settings of a reply. */
export const settingTypes = {
  temperature: number(0, 2),
  top_p: number(0, 1),
  frequency_penalty: number(-2, 2),
  presence_penalty: number(-2, 2),
  seed: z.int().nullable().optional(),
  effort,
  verbosity,
};

/** A schema of a reply in JSON. */
export const schemaOf = {
  name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  description: text(0, 10_000).optional(),
  schema: z.record(z.string(), z.unknown()).optional().meta({ description: "A JSON schema." }),
  strict: z.boolean().nullable().optional(),
};

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
