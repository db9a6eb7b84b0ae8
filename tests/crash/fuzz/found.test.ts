import { expect, it, onTestFinished } from "vitest";
import { found } from "./found.ts";
import { createTargets } from "./targets.ts";

it("what fuzzing has found stays repaired, and the inputs that fuzzing begins with are read", async () => {
  const fuzzing = await createTargets();
  onTestFinished(() => fuzzing.close());
  const { targets } = fuzzing;
  expect(Object.keys(found).toSorted()).toEqual(targets.map(({ name }) => name).toSorted());
  for (const { name, seeds, run } of targets) {
    const inputs = [
      ...seeds.map((seed) => Buffer.from(seed)),
      ...(found[name] ?? []).map((one) => Buffer.from(one, "latin1")),
    ];
    for (const input of inputs) {
      const outcome = await run(input).then(
        () => "read",
        (error: unknown) => String(error),
      );
      expect([name, input.toString("latin1"), outcome]).toEqual([name, input.toString("latin1"), "read"]);
    }
  }
});
