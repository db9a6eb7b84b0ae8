import { createMemoryStorage } from "@telex/storage-memory";
import { expect, it } from "vitest";
import { expectOutcome } from "../src/support/expect.ts";
import { person } from "../src/support/fixtures.ts";
import { withLatency } from "../src/index.ts";

async function orderOf(seed: number): Promise<number[]> {
  const { users } = withLatency(createMemoryStorage(), seed);
  const order: number[] = [];
  await Promise.all(
    Array.from({ length: 20 }, async (_, caller) => {
      const appended = await users.appendUser(person());
      expectOutcome(appended, "appended");
      order.push(caller * 100 + appended.user.userId);
    }),
  );
  return order;
}

it("lets calls overtake each other, before and after they are done, the same way for the same seed", async () => {
  const [first, again, other] = [await orderOf(1), await orderOf(1), await orderOf(2)];
  expect(again).toEqual(first);
  expect(other).not.toEqual(first);
  expect(first).not.toEqual(first.toSorted((a, b) => a - b));
});

it("passes on what a call throws", async () => {
  const storage = createMemoryStorage();
  await storage.close();
  await expect(withLatency(storage, 1).users.findUser(1)).rejects.toMatchObject({ code: "storage_unavailable" });
});
