import { messagesContract, teleprinterContract } from "@telex/core/contract";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { describeIssue } from "./describe.ts";
import { issuesOf } from "./issues.ts";

function told(schema: z.ZodType, input: unknown): string[] {
  const parsed = schema.safeParse(input);
  if (parsed.success) return [];
  return issuesOf(parsed.error, input).map((issue) => `${issue.path} ${describeIssue(issue, "en")}`);
}

describe("the issues of an input", () => {
  const register = (input: unknown) => told(teleprinterContract.register.input, input);
  const poll = (input: unknown) => told(teleprinterContract.poll.input, input);
  const send = (message: unknown) => told(messagesContract.send.input, { groupId: 1, groupType: 1, message });

  it("name each missing field", () => {
    expect(register({})).toEqual(["deviceId is required", "name is required"]);
  });

  it("say which values are valid", () => {
    expect(register({ deviceId: "a b", name: "" })).toEqual([
      "deviceId must be 1 to 64 letters, digits, _ or -",
      "name must not be empty",
    ]);
    expect(register({ deviceId: "a", name: "n".repeat(129) })).toEqual(["name must have at most 128 characters"]);
    expect(poll({ deviceId: "a", limit: 0 })).toEqual(["limit must be at least 1"]);
    expect(poll({ deviceId: "a", limit: 101 })).toEqual(["limit must be at most 100"]);
    expect(poll({ deviceId: "a", limit: "5" })).toEqual(["limit must be of the type number"]);
    expect(poll({ deviceId: "a", limit: 1.5 })).toEqual(["limit must be of the type int"]);
  });

  it.each([1.5, -1, 2 ** 53, "1e3", "01", "-1", "9007199254740992", "", null, true, []])(
    "takes no id from %j",
    (groupId) => {
      const [issue] = told(messagesContract.history.input, { groupId, groupType: 1 });
      expect(issue).toBe("groupId must be a positive whole number below 2^53, as a number or in decimal digits");
    },
  );

  it("concern the intended branch of a union", () => {
    expect(send([{ type: "face", data: {} }])).toEqual(["message.0.type must be one of: text, image, file, at, reply"]);
    expect(send([{ type: "text" }])).toEqual(["message.0.data is required"]);
    expect(send([{ type: "text", data: { text: 5 } }])).toEqual(["message.0.data.text must be of the type string"]);
    expect(send([{ type: "image", data: { file_id: "x" } }])).toEqual([
      "message.0.data.file_id must be an MD5: 32 hexadecimal digits",
    ]);
    expect(send(5)).toEqual(["message must be of the type string | array"]);
    expect(send("a\0b")).toEqual(["message must not contain the character NUL"]);
  });
});
