import { setImmediate } from "node:timers/promises";
import { expect } from "vitest";

/** Calls until it succeeds: the driver looks for a database that was away every two seconds. */
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
