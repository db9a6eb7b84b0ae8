import { character, fc } from "test-support/property";
import { describe, expect, it } from "vitest";
import { ask, startOAuth, Tab } from "./oauth-client.ts";

const text = fc.string({ unit: character, maxLength: 60 });

/** Words that parsers take for something else. */
const odd = fc.constantFrom("", "%", "%00", "%ff", "\u0000", "__proto__", "a".repeat(5000), "&", "=", "Basic ", "//");

const value = fc.oneof({ weight: 3, arbitrary: text }, { weight: 1, arbitrary: odd });

const names = fc.constantFrom(
  ..."client_id client_secret grant_type code code_verifier redirect_uri refresh_token device_code scope token resource".split(
    " ",
  ),
  "token_type_hint",
  "__proto__",
  "constructor",
);

const fields = fc.array(fc.tuple(names, value), { maxLength: 8 });

const base64 = text.map((credentials) => `Basic ${Buffer.from(credentials).toString("base64")}`);
const header = fc.oneof(
  base64,
  fc
    .string({ maxLength: 80 })
    .map((one) => one.replaceAll(/[^\x20-\x7e]/g, "").trim())
    .map((one) => `Basic ${one}`),
);

describe("the endpoints for applications", () => {
  it("answer every form and every Basic header with an error of OAuth, and give nothing away", async () => {
    const { url } = await startOAuth();
    const paths = fc.constantFrom("token", "introspect", "revoke", "device");
    const attempt = fc.asyncProperty(paths, fields, fc.option(header), async (path, pairs, authorization) => {
      const headers = authorization === null ? {} : { authorization };
      const body = new URLSearchParams(pairs.map(([name, one]): [string, string] => [name, one]));
      const response = await fetch(`${url}/oauth2/${path}`, { method: "POST", headers, body });
      const answer = await response.text();
      expect([400, 401]).toContain(response.status);
      expect(JSON.parse(answer)).toMatchObject({ error: expect.stringMatching(/^[a-z_]+$/) as unknown });
    });
    await fc.assert(attempt, { numRuns: 150 });
  });

  it("lead to no address but the registered one, whatever a request names", async () => {
    const registered = "https://app.example/cb";
    const { app, alice } = await startOAuth({}, { redirectUris: [registered] });
    const { url } = await ask(app.config, { redirect_uri: registered });
    const near = fc.tuple(fc.constantFrom("", "/", ".", "@", "#", "?", "\\", "%2e", ":8443", "//evil.example"), text);
    const address = fc.oneof(
      fc.webUrl(),
      text,
      near.map(([sign, end]) => registered + sign + end),
      near.map(([sign, end]) => `https://app.example${sign}${end}/cb`),
    );
    const attempt = fc.asyncProperty(
      // Without one, the answer goes to the only registered address.
      address.filter((one) => one !== registered && one !== ""),
      async (redirectUri) => {
        const asked = new URL(url);
        asked.searchParams.set("redirect_uri", redirectUri);
        expect(await new Tab(alice.browser).go(asked.href)).toMatchObject({ status: 400, location: null });
      },
    );
    await fc.assert(attempt, { numRuns: 100 });
  });
});
