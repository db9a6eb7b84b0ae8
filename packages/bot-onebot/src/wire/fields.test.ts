import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { filledText, longText, textOrNull, versionText } from "./fields.ts";
import { id, idOfMessage } from "./frames.ts";

describe("a field of a frame", () => {
  it.each<readonly [string, z.ZodType]>([
    ["a long text", longText],
    ["a filled text", filledText],
    ["an optional text", textOrNull(9)],
    ["a version", versionText],
    ["an id", id],
    ["the id of a message", idOfMessage],
  ])("refuses or ignores an object with a strange length without an exception: %s", (_name, schema) => {
    const value: unknown = JSON.parse('{"length":[{"toString":""}]}');
    expect(() => schema.safeParse(value)).not.toThrow();
    expect(schema.safeParse(value).data ?? null).not.toEqual(value);
  });
});
