import { fc } from "test-support/property";
import { expect, it } from "vitest";
import { createTextPieces } from "./text-pieces.ts";

function join(pieces: readonly string[]): string[] {
  const text = createTextPieces();
  return [...pieces.map((piece) => text.add(piece)), text.end()];
}

it("joins a surrogate pair that is split over two pieces", () => {
  expect(join(["a\uD83D", "\uDE00b"])).toEqual(["a", "\u{1F600}b", ""]);
  expect(join(["\uD83D", "", "\uDE00"])).toEqual(["", "", "\u{1F600}", ""]);
});

it("replaces NUL and lone surrogates", () => {
  expect(join(["a\0b", "\uDE00", "\uD83Dx", "\uD83D\uD83D", "\uDE00\uD83D"])).toEqual([
    "a\uFFFDb",
    "\uFFFD",
    "\uFFFDx",
    "\uFFFD",
    "\u{1F600}",
    "\uFFFD",
  ]);
});

it("gives in any pieces what the whole text gives", () => {
  const unit = fc.constantFrom("a", "\0", "\uD83D", "\uDE00", "\u{1F600}", "茶");
  fc.assert(
    fc.property(fc.array(fc.array(unit).map((units) => units.join(""))), (pieces) => {
      const whole = pieces.join("").toWellFormed().replaceAll("\0", "\uFFFD");
      expect(join(pieces).join("")).toBe(whole);
    }),
  );
});
