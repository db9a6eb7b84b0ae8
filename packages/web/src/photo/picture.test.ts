import { describe, expect, test } from "vitest";
import { pictureIn } from "./picture.ts";

describe("a picture", () => {
  test.each([
    [
      "lines of one width, as image-to-text makes them",
      "AAAABBBBCCCCDDD\r\nEEEEFFFFGGGGHHH\r\nIIIIJJJJKKKKLLL\r\n",
      3,
      15,
    ],
    ["braille", "⠀⠀⣀⣤⣤⣀⠀⠀⠀⠀⠀⠀\n⠀⣾⣿⣿⣿⣿⣷⠀⠀⠀⠀\n⠀⠈⠛⠛⠛⠁⠀⠀⠀⠀", 3, 12],
    ["a box", "┌──────────┐\n│ paid     │\n└──────────┘", 3, 12],
    ["signs and gaps", "   /\\_____/\\\n  ( o   o  )\n  (  =^=   )\n   (______)  ", 4, 13],
  ])("is %s", (_kind, content, lines, columns) => {
    expect(pictureIn(content)).toEqual({ lines, columns });
  });
});

describe("no picture", () => {
  test.each([
    ["prose", "It is raining.\nThe window is open, and the floor is getting wet.\nShall I say so again?"],
    ["a list", "- flour, 1 kg\n- eggs\n- 豆腐 两块\n- olive oil, the good one"],
    ["two lines", "==========================\n=========================="],
    ["short lines of one width", "yes\nno.\nyes"],
    ["code", "if (ready) {\n  print(text);\n} else {\n  wait();\n}"],
    ["nothing", ""],
  ])("is %s", (_kind, content) => {
    expect(pictureIn(content)).toBeNull();
  });
});
