import { z } from "zod";

const mostTokens = 131_072;

const isToken = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** The numbers of 1 to 131,072 tokens. Not a list with a schema, because checking each number with a schema costs more than parsing it. */
export const tokenNumbers = z
  .custom<readonly unknown[]>()
  .superRefine((tokens: unknown, context) => {
    const bounds = { origin: "array", inclusive: true, input: tokens } as const;
    const length = Array.isArray(tokens) ? tokens.length : 0;
    if (length > mostTokens) context.addIssue({ code: "too_big", maximum: mostTokens, ...bounds });
    else if (!Array.isArray(tokens) || !tokens.every(isToken))
      context.addIssue({ code: "custom", message: "embedding_input" });
    else if (length === 0) context.addIssue({ code: "too_small", minimum: 1, ...bounds });
  })
  .meta({
    type: "array",
    minItems: 1,
    maxItems: mostTokens,
    items: { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  })
  .transform((tokens) => tokens.filter(isToken));
