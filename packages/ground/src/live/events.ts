import type { z } from "zod";

/** The events of a map of schemas: each name is a kind, and its schema describes the data of this kind. */
export type LiveEventsOf<T> = {
  readonly [K in keyof T]: T[K] extends z.ZodType ? { readonly kind: K; readonly data: z.output<T[K]> } : never;
}[keyof T];
