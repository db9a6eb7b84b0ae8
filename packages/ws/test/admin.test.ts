import { operator } from "@telex/core";
import { describe, expect, it } from "vitest";
import { open, startTelex, textTo } from "./harness.ts";

const channels = ["im/imWebSocket", "teleprinter/webSocket", "sseStream/webSocket"];

describe("a token with the scope admin alone", () => {
  it.each(channels)("is answered with LoginFail on %s", async (channel) => {
    const { telex, url } = await startTelex();
    const { id } = await telex.operator.users.add(operator, { nickname: "Root" });
    const { token } = await telex.operator.tokens.issue(operator, { userId: id, scopes: ["admin"] });
    const client = await open(url(token).replace("im/imWebSocket", channel));
    client.send(textTo(1, "hello", "a"));
    expect(await client.next()).toMatchObject({ type: "LoginFail", code: 400, identifier: "a" });
  });
});
