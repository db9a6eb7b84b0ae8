import { describe, expect, it } from "vitest";
import { textAt } from "test-support/json";
import { folder, lastJson, serve } from "test-support/command";
import { telexHere } from "./in-process.ts";

describe("a bus", () => {
  it("is refused for a storage that only one server can use", async () => {
    const args = ["serve", "--storage", "memory:", "--bus", "nats://127.0.0.1:1", "--port", "0"];
    const { code, stderr } = await telexHere([...args, "--data", await folder()]);
    expect(code).toBe(2);
    expect(stderr).toContain("--bus connects servers that share a storage, but only one server can work on memory:.");
  });
});

describe("a request that the server refuses", () => {
  it("is reported with its reasons, field by field", async () => {
    const { url, printed } = await serve(["--demo", "--storage", "memory:", "--data", await folder()]);
    const send = ["device", "send", "", "--id", "a b", "--url", url, "--token", textAt(printed, "users", 0, "token")];
    const { code, stdout, stderr } = await telexHere(send);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("  deviceId: must be 1 to 64 letters, digits, _ or -\n");
    expect(stderr).toContain("  content: must not be empty\n");
    expect(lastJson((await telexHere([...send, "--json"])).stderr)).toMatchObject({
      error: "invalid_request",
      issues: [{ path: "deviceId" }, { path: "content", message: "must not be empty" }],
    });
  });
});
