import { describe, expect, it } from "vitest";
import { createTokenCounter } from "./tokens.ts";

async function createReady() {
  const counter = createTokenCounter();
  await counter.ready();
  return counter;
}

describe("counting tokens", () => {
  it("is rough until the tokenizer is there", () => {
    expect(createTokenCounter().count("twelve bytes")).toBe(3);
  });

  it("counts as the models of OpenAI do", async () => {
    const counter = await createReady();
    expect([
      counter.count(""),
      counter.count("Hello world"),
      counter.count("今天天气很好"),
      counter.count("<|endoftext|>"),
    ]).toEqual([0, 2, 4, 7]);
  });

  it("samples long texts, and is not far off", async () => {
    const counter = await createReady();
    const sentence = "The quick brown fox jumps over the lazy dog. ";
    const whole = 10 * 1000;
    const sampled = counter.count(sentence.repeat(1000));
    expect(sampled / whole).toBeGreaterThan(0.95);
    expect(sampled / whole).toBeLessThan(1.1);
  });

  it("takes no longer for texts that are made to be slow", async () => {
    const counter = await createReady();
    // A full count of this text takes a minute.
    const nasty = Array.from({ length: 100_000 }, (_, index) =>
      String.fromCodePoint(0x4e00 + ((index * 7919) % 20_000)),
    );
    expect(counter.count(nasty.join(""))).toBeGreaterThan(50_000);
  });
});
