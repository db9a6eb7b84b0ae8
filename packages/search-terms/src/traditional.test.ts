import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { traditionalTable } from "../scripts/traditional.ts";
import { createSimplifier } from "./traditional.ts";

const simplifier = createSimplifier();

it("the table is what the dictionaries of OpenCC give", () => {
  expect(readFileSync(new URL("traditional-table.ts", import.meta.url), "utf8")).toBe(traditionalTable());
});

describe("simplifying", () => {
  it.each([
    ["車站", "车站"],
    ["曬裏佈爲説衆羣鷄綫", "晒里布为说众群鸡线"],
    ["乾隆乾淨", "乾隆干净"],
    ["瞭解瞭望", "了解瞭望"],
    ["車a😀站𠮷", "车a😀站𠮷"],
    ["你好", "你好"],
    ["乾".repeat(1000), "干".repeat(1000)],
    ["\uD800車", "\uD800车"],
    ["", ""],
  ])("turns %j into %j", (text, simplified) => {
    expect(simplifier.text(text)).toBe(simplified);
  });

  it("keeps the number of code points, whatever the text is", () => {
    for (const phrase of ["一目瞭然", "乾乾淨淨", "么麼", "藉藉", "𧥗䥧𡝠"]) {
      expect(Array.from(simplifier.text(phrase))).toHaveLength(Array.from(phrase).length);
    }
  });
});
