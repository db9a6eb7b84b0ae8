import * as client from "openid-client";
import { describe, expect, it } from "vitest";
import { ask, failureOf, startOAuth, walk } from "./oauth-client.ts";
import { Browser } from "./server.ts";

const webUri = "https://app.example/cb";

/** An application with a secret, which may ask about its tokens, and the name of the MCP server as a resource. */
async function scenery() {
  const scene = await startOAuth({}, { redirectUris: [webUri], hasSecret: true });
  const resource = `${scene.url}/mcp`;
  const aboutToken = async (token: string) => await client.tokenIntrospection(scene.app.config, token);
  /** Begins with a request for `asked`, and redeems the code for `redeemed`. */
  const signInFor = async (scope: string, asked: string, redeemed = asked) => {
    const { url, checks } = await ask(scene.app.config, { redirect_uri: webUri, scope, resource: asked });
    const answer = await walk(scene.alice.browser, url);
    return await client.authorizationCodeGrant(scene.app.config, answer, checks, { resource: redeemed });
  };
  return { ...scene, resource, aboutToken, signInFor };
}

const statusAt = async (url: string, path: string, token: string): Promise<number> =>
  (await new Browser(url).get(path, { headers: { authorization: `Bearer ${token}` } })).status;

describe("the MCP server as a resource", () => {
  it("is named in the request and in both grants, and its tokens open the API with the same scopes", async () => {
    const { app, url, resource, aboutToken, signInFor } = await scenery();
    const first = await signInFor("chat openid", resource);
    expect(first.scope).toBe("chat");
    const second = await client.refreshTokenGrant(app.config, first.refresh_token ?? "", { resource });
    for (const { access_token: token } of [first, second]) {
      expect(await aboutToken(token)).toMatchObject({ active: true, aud: resource, scope: "chat" });
      expect(await statusAt(url, "/im/groups", token)).toBe(200);
    }
    const { access_token: device } = await signInFor("device:hall", resource);
    expect(await aboutToken(device)).toMatchObject({ aud: resource, scope: "device:hall" });
    expect(await statusAt(url, "/im/groups", device)).toBe(403);
  });

  it("is named by a program that shows a code", async () => {
    const { app, alice, resource, aboutToken } = await scenery();
    const shown = await client.initiateDeviceAuthorization(app.config, { scope: "chat", resource });
    await alice.browser.post("/account/device/lookup", { code: shown.user_code });
    await alice.browser.post("/account/device/approve", { code: shown.user_code, allow: true });
    const grant = "urn:ietf:params:oauth:grant-type:device_code";
    const tokens = await client.genericGrantRequest(app.config, grant, { device_code: shown.device_code, resource });
    expect(await aboutToken(tokens.access_token)).toMatchObject({ active: true, aud: resource, scope: "chat" });
  });

  it("is asked for once: an application that asks for the other name later needs no new consent", async () => {
    const { app, alice, url, resource, signInFor } = await scenery();
    await signInFor("chat", url);
    const later = await ask(app.config, { redirect_uri: webUri, scope: "chat", resource, prompt: "none" });
    expect((await walk(alice.browser, later.url)).searchParams.has("code")).toBe(true);
  });

  it("is refused under another name, and where the request was for the API", async () => {
    const { app, alice, url, resource, signInFor } = await scenery();
    for (const wrong of [`${resource}/`, `${resource}x`, `${resource}?a=b`, "https://evil.example/mcp"]) {
      const { url: asked } = await ask(app.config, { redirect_uri: webUri, scope: "chat", resource: wrong });
      const answer = await walk(alice.browser, asked);
      expect([wrong, answer.searchParams.get("error")]).toEqual([wrong, "invalid_target"]);
    }
    expect(await failureOf(signInFor("chat", url, resource))).toMatchObject({ error: "invalid_target" });
  });
});
