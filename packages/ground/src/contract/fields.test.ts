import { messagesContract } from "@telex/core/contract";
import { bytesLeft } from "test-support/young-garbage";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { fileId, id, list, text } from "./fields.ts";

const send = { groupId: "7", groupType: 1, message: [{ type: "text", data: { text: "hello" } }], nonce: "n" };

describe("the input of fields", () => {
  it.each<readonly [string, z.ZodType, unknown]>([
    ["a text in an object", z.object({ text: text(1, 9) }), { text: "hello" }],
    ["an id", z.object({ id }), { id: "7" }],
    ["a file", z.object({ file: fileId }), { file: "A".repeat(32) }],
    ["a list", list(id, 9), [1, "2"]],
    ["a message on its way in", messagesContract.send.input, send],
  ])("is young garbage: %s", async (_name, schema, value) => {
    expect(schema.safeParse(value).success).toBe(true);
    const left = await bytesLeft(5000, (calls) => {
      for (let call = 0; call < calls; call += 1) schema.safeParse(value);
    });
    expect(left).toBeLessThan(20);
  });
});
