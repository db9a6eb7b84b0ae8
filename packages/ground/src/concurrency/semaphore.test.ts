import { setImmediate as settled } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createSemaphore } from "./semaphore.ts";

describe("a semaphore", () => {
  it("admits callers up to its capacity, and the next one when one leaves", async () => {
    const semaphore = createSemaphore(2, 10);
    const order: string[] = [];
    const enter = async (name: string): Promise<() => void> => {
      const leave = await semaphore.enter(1);
      order.push(name);
      return leave;
    };
    const [first] = await Promise.all([enter("a"), enter("b")]);
    const waiting = [enter("c"), enter("d")];
    await settled();
    expect(order).toEqual(["a", "b"]);
    first();
    await settled();
    expect(order).toEqual(["a", "b", "c"]);
    (await waiting[0])?.();
    await waiting[1];
    expect(order).toEqual(["a", "b", "c", "d"]);
  });

  it("lets no small caller overtake a large one", async () => {
    const semaphore = createSemaphore(10, 10);
    const order: string[] = [];
    const leave = await semaphore.enter(6);
    const large = semaphore.enter(8).then((leaveLarge) => (order.push("large"), leaveLarge()));
    const small = semaphore.enter(1).then(() => order.push("small"));
    await settled();
    expect(order).toEqual([]);
    leave();
    await Promise.all([large, small]);
    expect(order).toEqual(["large", "small"]);
  });

  it("admits a caller that exceeds the capacity alone", async () => {
    const semaphore = createSemaphore(10, 10);
    const leave = await semaphore.enter(100);
    let entered = false;
    const next = semaphore.enter(1).then(() => (entered = true));
    await settled();
    expect(entered).toBe(false);
    leave();
    await next;
    expect(entered).toBe(true);
  });

  it("refuses a caller as busy while the queue is full, and admits later ones", async () => {
    const semaphore = createSemaphore(1, 2);
    const leave = await semaphore.enter(1);
    const waiting = [semaphore.enter(1), semaphore.enter(1)];
    await expect(semaphore.enter(1)).rejects.toMatchObject({ code: "busy", retryAfter: 1 });
    leave();
    (await waiting[0])?.();
    (await waiting[1])?.();
    await expect(semaphore.enter(1)).resolves.toBeTypeOf("function");
  });

  it("refuses waiting and later callers when it is closed", async () => {
    const semaphore = createSemaphore(1, 2);
    await semaphore.enter(1);
    const waiting = semaphore.enter(1);
    semaphore.close();
    await expect(waiting).rejects.toMatchObject({ code: "shutting_down" });
    await expect(semaphore.enter(1)).rejects.toMatchObject({ code: "shutting_down" });
  });
});
