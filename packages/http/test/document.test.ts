import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { buildDocument } from "../scripts/document.ts";
import written from "../src/openapi.json" with { type: "json" };
import { routedOperations } from "../src/server/operations.ts";
import { overBothTransports } from "./setup.ts";

describe("the OpenAPI document", () => {
  it("is what the contracts say; if not, run `node --conditions=telex-source packages/http/scripts/openapi.ts`", () => {
    expect(written).toEqual(JSON.parse(JSON.stringify(buildDocument())));
  });

  it("is valid", async () => {
    const result = await new Validator().validate(structuredClone(written));
    expect(result).toMatchObject({ valid: true });
  });

  it("names every operation", () => {
    const text = JSON.stringify(written);
    const missing = routedOperations()
      .map(({ name }) => name)
      .filter((name) => !text.includes(`"${name}"`));
    expect(missing).toEqual([]);
  });
});

overBothTransports("the pages of the server", (open) => {
  it("are the document, for the path under which it is served", async () => {
    const { send } = await open({ basePath: "/telex" });
    const answer = await send("/telex/openapi.json");
    expect(await answer.json()).toMatchObject({ openapi: "3.1.1", servers: [{ url: "/telex" }] });
  });

  it("are a reference that runs no script and loads nothing", async () => {
    const { send } = await open();
    const answer = await send("/reference");
    const html = await answer.text();
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(answer.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'sha256-[^']+';/);
    expect(html).not.toMatch(/<script|https?:|\ssrc=|\son\w+=/);
    for (const { name } of routedOperations()) expect(html).toContain(`id="${name}"`);
  });
});
