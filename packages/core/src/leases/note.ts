import type { z } from "zod";
import { jsonOrUndefined } from "../contract/json.ts";

/** What a note of a lease says, if it is JSON that the schema takes; null otherwise: another version may have written it. */
export const readNoteAs = <Schema extends z.ZodType>(schema: Schema, note: string): z.output<Schema> | null =>
  schema.safeParse(jsonOrUndefined(note)).data ?? null;
