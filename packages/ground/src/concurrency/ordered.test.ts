import { expect, it } from "vitest";
import { ticks } from "@telex/conformance/testing";
import { createOrdered } from "./ordered.ts";

/** Calls whose promises the test settles, and the outcomes that callers saw. */
function start() {
  const ordered = createOrdered();
  const seen: string[] = [];
  const call = (name: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    ordered(promise).then(
      (value) => seen.push(`${name} ${value}`),
      (cause: unknown) => seen.push(`${name} ${String(cause)}`),
    );
    return { resolve, reject };
  };
  return { seen, call };
}

it("a later answer waits for all earlier ones, and follows them in the same tick", async () => {
  const { seen, call } = start();
  const [first, second, third] = [call("first"), call("second"), call("third")];
  third.resolve("c");
  second.resolve("b");
  await ticks(2);
  expect(seen).toEqual([]);
  first.resolve("a");
  await ticks(1);
  expect(seen).toEqual(["first a", "second b", "third c"]);
});

it("a failure keeps its position, needs no handler until its turn, and delays no other task", async () => {
  const { seen, call } = start();
  const [first, second, third] = [call("first"), call("second"), call("third")];
  // An unhandled rejection would fail the run.
  second.reject("no");
  third.resolve("c");
  await ticks(2);
  expect(seen).toEqual([]);
  first.resolve("a");
  await ticks(1);
  expect(seen).toEqual(["first a", "second no", "third c"]);
});

it("an answer that comes when nothing waits is seen immediately, also after a failure", async () => {
  const { seen, call } = start();
  call("first").reject("no");
  await ticks(1);
  call("second").resolve("b");
  await ticks(1);
  expect(seen).toEqual(["first no", "second b"]);
});
