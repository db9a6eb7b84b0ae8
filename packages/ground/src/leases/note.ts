import type { z } from "zod";
import { jsonOrUndefined } from "../contract/index.ts";

/** Parses the note of a lease; null if the schema does not accept it, because another version may have written it. */
export const readNoteAs = <Schema extends z.ZodType>(schema: Schema, note: string): z.output<Schema> | null =>
  schema.safeParse(jsonOrUndefined(note)).data ?? null;
