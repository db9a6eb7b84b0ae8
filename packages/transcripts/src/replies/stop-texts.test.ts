import { fc } from "test-support/property";
import { expect, it } from "vitest";
import { createStopTexts } from "./stop-texts.ts";

function run(pieces: readonly string[], stops: readonly string[]) {
  const text = createStopTexts(stops);
  const given = [...pieces.map((piece) => text.add(piece)), text.end()];
  return { given, isFound: text.isFound() };
}

it("ends a text before the first stop text, also where that comes in pieces", () => {
  expect(run(["one E", "N", "D two"], ["END"])).toEqual({ given: ["one ", "", "", ""], isFound: true });
  expect(run(["a.b;c"], [";", "."])).toEqual({ given: ["a", ""], isFound: true });
});

it("passes on what only began like a stop text", () => {
  expect(run(["one E", "N", "d"], ["END"])).toEqual({ given: ["one ", "", "ENd", ""], isFound: false });
  expect(run(["one EN"], ["END"])).toEqual({ given: ["one ", "EN"], isFound: false });
});

it("gives in any pieces what the whole text gives", () => {
  const word = (maxLength: number, minLength = 0) =>
    fc.array(fc.constantFrom("a", "b"), { maxLength, minLength }).map((units) => units.join(""));
  fc.assert(
    fc.property(fc.array(word(5)), fc.array(word(4, 1), { maxLength: 4 }), (pieces, stops) => {
      const whole = pieces.join("");
      const single = run([...whole], stops);
      const { given, isFound } = run(pieces, stops);
      expect(given.join("")).toBe(single.given.join(""));
      expect(isFound).toBe(stops.some((stop) => whole.includes(stop)));
      expect(stops.some((stop) => given.join("").includes(stop))).toBe(false);
      expect(whole.startsWith(given.join(""))).toBe(true);
    }),
  );
});
