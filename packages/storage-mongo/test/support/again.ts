import { setImmediate } from "node:timers/promises";
import { expect } from "vitest";

/** Repeats a call until it succeeds: every two seconds, the driver checks whether a database is back. */
export async function again<Result>(call: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      expect(error).toMatchObject({ code: "storage_unavailable" });
    }
    await setImmediate();
  }
}
