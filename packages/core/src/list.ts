import { z } from "zod";

/** Wrong elements of a list, after which the rest is not looked at. */
const mostWrong = 20;

/** The elements as their schema reads them. Stops after 20 wrong ones: nobody wants to be told of more. */
function parseElements<E extends z.ZodType>(
  element: E,
  values: readonly unknown[],
  { issues }: z.core.$RefinementCtx,
): z.output<E>[] {
  const elements: z.output<E>[] = [];
  for (const [index, input] of values.entries()) {
    const { success, data, error } = element.safeParse(input);
    if (success) elements.push(data);
    else
      issues.push({ code: "invalid_element", origin: "set", key: index, issues: error.issues, input, path: [index] });
    if (issues.length >= mostWrong) break;
  }
  return issues.length === 0 ? elements : z.NEVER;
}

/**
 * A list of `min` to `max` elements. They are counted before any of them is looked at, and after 20 wrong ones the rest is
 * not looked at: what `z.array` notes for a wrong element costs a hundred times as much as sending it.
 * @param element the schema of each element
 * @param max how many elements there may be
 * @param min how many elements there must be; default 0
 */
export function list<E extends z.ZodType>(element: E, max: number, min = 0) {
  const { items } = z.toJSONSchema(z.array(element), { io: "input", unrepresentable: "any" });
  const bounds = { origin: "array", inclusive: true } as const;
  return z
    .custom<z.input<E>[]>()
    .meta({ type: "array", minItems: min, maxItems: max, items })
    .transform((input: unknown, context): z.output<E>[] => {
      if (!Array.isArray(input)) context.addIssue({ code: "invalid_type", expected: "array", input });
      else if (input.length > max) context.addIssue({ code: "too_big", maximum: max, input, ...bounds });
      else if (input.length < min) context.addIssue({ code: "too_small", minimum: min, input, ...bounds });
      else return parseElements(element, input, context);
      return z.NEVER;
    });
}
