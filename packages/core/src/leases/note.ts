import type { z } from "zod";

/** What a note of a lease says, if it is JSON that the schema takes; null otherwise: another version may have written it. */
export const readNoteAs = <Schema extends z.ZodType>(schema: Schema, note: string): z.output<Schema> | null => {
  try {
    return schema.safeParse(JSON.parse(note)).data ?? null;
  } catch {
    return null;
  }
};
