import type { z } from "zod";
import type { Acting } from "../context.ts";
import { readParams } from "../results.ts";

/** Runs an action with the parameters of a framework. */
export type Run = (actor: Acting, params: unknown) => Promise<unknown>;

/** An action with the schema of its parameters. Unknown parameters are ignored. */
export const action =
  <S extends z.ZodType>(schema: S, run: (actor: Acting, params: z.output<S>) => unknown): Run =>
  async (actor, params) =>
    run(actor, readParams(schema, params));
