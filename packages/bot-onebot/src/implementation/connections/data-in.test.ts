import { expect, it } from "vitest";
import { cpuTimeOf } from "@telex/conformance";
import { dataIn } from "./data-in.ts";

const run = (length: number): string => "aZ09+/-_".repeat(length).slice(0, length);

it("counts runs of base64 from 1 KiB on, wherever they begin", () => {
  for (let before = 0; before < 2100; before += 1) {
    const space = " ".repeat(before);
    expect(dataIn(`${space}${run(1024)}"`)).toBe(1024);
    expect(dataIn(`${space}${run(1023)}"`)).toBe(0);
  }
  expect(dataIn(`["${run(5000)}","${run(1023)}",{"a":"${run(1024)}"},"${run(3000)}="]`)).toBe(9024);
  expect(dataIn("")).toBe(0);
});

it("counts base64 whose characters are escaped in JSON or in a form", () => {
  expect(dataIn(JSON.stringify(run(2000)).replaceAll("/", String.raw`\/`))).toBe(2250);
  expect(dataIn(`a=${encodeURIComponent("+".repeat(400))}&b=${run(1000)}`)).toBe(1200);
});

it.each(["{},", "0,", '"",', "[", "&a=", "é,"])("counts nothing of any number of %s", (part) => {
  expect(dataIn(part.repeat(10_000))).toBe(0);
});

it("costs less than parsing many values does, also where runs are just too short", async () => {
  const text = JSON.stringify(Array.from({ length: 4000 }, () => run(1023)));
  const values = `[${"{},".repeat(text.length / 3)}0]`;
  const parsing = await cpuTimeOf(() => JSON.parse(values), 5);
  expect(await cpuTimeOf(() => dataIn(text), 5)).toBeLessThan(parsing);
  expect(dataIn(text)).toBe(0);
});
