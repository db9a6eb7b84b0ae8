import type { Clock } from "@telex/core";
import type { HttpResponse } from "../response/http-response.ts";

/**
 * Waits for the first value of a response, until the response must begin without it.
 * @param time milliseconds
 * @param gone aborted when the client disconnects
 * @throws the error with which the promise rejects in this time
 */
export async function atTheLatest(
  begun: Promise<unknown>,
  clock: Clock,
  time: number,
  gone?: AbortSignal,
): Promise<void> {
  const late = Promise.withResolvers<void>();
  const calm = clock.after(time, late.resolve);
  gone?.addEventListener("abort", () => late.resolve(), { once: true });
  // A later failure is an event.
  begun.catch(() => {});
  await Promise.race([begun, late.promise]).finally(calm);
}

/** The body of a failure, for a stream that has begun. */
export const textOf = ({ body }: HttpResponse): string => (typeof body === "string" ? body : "");
