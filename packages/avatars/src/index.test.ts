import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { drawAvatar } from "./index.ts";

const person = (id: string): string => `personal:${id}`;
const hash = (rgb: Uint8Array): string => createHash("sha256").update(rgb).digest("hex").slice(0, 16);

test("one seed gives one picture, on every machine", () => {
  expect(hash(drawAvatar(person("1"), 64))).toBe("ee743d427c3a2c8c");
  expect(hash(drawAvatar("group:1", 64, 3))).toBe("1c11b7d8b6a7b17c");
  expect(hash(drawAvatar("ext-personal:名字", 33))).toBe("c6a9c8ac219cd39c");
  expect(hash(drawAvatar("ext-group:", 512, 3))).toBe("1de234d27ad3b9c7");
});

test("a picture is the same from all eight sides", () => {
  for (const side of [1, 2, 3, 4, 7, 64, 65]) {
    const rgb = drawAvatar(person("7"), side);
    expect(rgb).toHaveLength(3 * side * side);
    const at = (x: number, y: number): string => rgb.subarray(3 * (y * side + x), 3 * (y * side + x) + 3).toString();
    for (let y = 0; y < side; y += 1) {
      for (let x = 0; x < side; x += 1) {
        expect(at(x, y)).toBe(at(side - 1 - x, y));
        expect(at(x, y)).toBe(at(y, x));
      }
    }
  }
});

test("a thousand people have pictures of their own", () => {
  const pictures = Array.from({ length: 1000 }, (_, id) => hash(drawAvatar(person(String(id)), 32)));
  expect(new Set(pictures).size).toBeGreaterThan(980);
});

test("every picture shows something: at least three colours that differ clearly", () => {
  for (let id = 0; id < 300; id += 1) {
    const rgb = drawAvatar(String(id), 24, id % 2 === 0 ? 2 : 3);
    const seen = new Set<string>();
    for (let pixel = 0; pixel < rgb.length; pixel += 3) {
      seen.add(Array.from(rgb.subarray(pixel, pixel + 3), (value) => value >> 5).join());
    }
    expect(seen.size).toBeGreaterThan(2);
  }
});
