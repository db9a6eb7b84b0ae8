import { once } from "node:events";
import { createServer } from "node:net";
import * as oauth from "oauth4webapi";
import * as client from "openid-client";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Answer, type Page, startWithDocuments } from "./document-host.ts";
import { ask, decide, failureOf, Tab, walk } from "./oauth-client.ts";
import { Browser } from "./server.ts";

const known = "invalid_grant: grant request is invalid";
const unreadable = "temporarily_unavailable: The document about the application cannot be read.";

/** An application of openid-client with the id of a document. */
const applicationAt = async (url: string, id: string): Promise<client.Configuration> =>
  await client.discovery(new URL(url), id, {}, client.None(), { execute: [client.allowInsecureRequests] });

const http = { [oauth.allowInsecureRequests]: true } as const;

describe("an application that describes itself in a document", () => {
  it("signs a person in for the MCP server without being registered, and goes on with refresh tokens", async () => {
    const { url, documents, member } = await startWithDocuments();
    const alice = await member("alice");
    const resource = `${url}/mcp`;
    const discovered = await oauth.discoveryRequest(new URL(url), { algorithm: "oauth2", ...http });
    const as = await oauth.processDiscoveryResponse(new URL(url), discovered);
    expect(as).toMatchObject({ client_id_metadata_document_supported: true });
    expect(as).not.toHaveProperty("registration_endpoint");
    const app = { client_id: documents.publish("/oauth/client.json") };
    const verifier = oauth.generateRandomCodeVerifier();
    const redirect = "http://127.0.0.1:7001/cb";
    const asked = new URL(as.authorization_endpoint ?? "");
    asked.search = new URLSearchParams({
      ...app,
      response_type: "code",
      redirect_uri: redirect,
      scope: "chat admin",
      state: "s",
      resource,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    }).toString();
    const answer = oauth.validateAuthResponse(as, app, await walk(alice.browser, asked.href), "s");
    const more = { ...http, additionalParameters: { resource } };
    const none = oauth.None();
    const granted = await oauth.authorizationCodeGrantRequest(as, app, none, answer, redirect, verifier, more);
    const first = await oauth.processAuthorizationCodeResponse(as, app, granted);
    expect(first.scope).toBe("chat");
    const refreshed = await oauth.refreshTokenGrantRequest(as, app, none, first.refresh_token ?? "", more);
    const { access_token: token } = await oauth.processRefreshTokenResponse(as, app, refreshed);
    const headers = { authorization: `Bearer ${token}` };
    expect(await new Browser(url).get("/im/groups", { headers })).toMatchObject({ status: 200 });
    expect(documents.asked).toEqual([app.client_id]);
  });

  it("is shown to the person with the host of its document, and in the list by this host, until its access is ended", async () => {
    const { url, documents, member } = await startWithDocuments();
    const { browser } = await member("alice");
    const id = documents.publish("/a", { client_name: "<b>Te\u202ea</b>" });
    const { location } = await new Tab(browser).go((await ask(await applicationAt(url, id))).url);
    const page = await browser.open(`${location?.pathname ?? ""}${location?.search ?? ""}&lang=en`);
    expect(page.text).toContain(`&lt;b&gt;Tea&lt;/b&gt; (${documents.host}) wants access`);
    expect(page.text).toContain(`It comes from ${documents.host}`);
    await decide(browser, location?.searchParams.get("uid") ?? "", true);
    const listed = await browser.get("/account/applications");
    expect(listed).toMatchObject({ data: { list: [{ client: { id, name: documents.host } }] } });
    expect(documents.asked).toEqual([id]);
    const [, access = ""] = /"id":"([\w-]+)"/.exec(listed.text) ?? [];
    expect(await browser.delete(`/account/applications/${access}`)).toMatchObject({ status: 200 });
    expect(await browser.get("/account/applications")).toMatchObject({ data: { list: [] } });
  });

  it("keeps its tokens and codes to itself", async () => {
    const { url, documents, member } = await startWithDocuments();
    const { browser } = await member("alice");
    const [one, other] = await Promise.all(
      ["/one", "/other"].map(async (path) => await applicationAt(url, documents.publish(path))),
    );
    if (one === undefined || other === undefined) throw new TypeError("There are two applications.");
    const asked = await ask(one);
    const stolen = await walk(browser, asked.url);
    const theft = client.authorizationCodeGrant(other, stolen, asked.checks);
    expect(await failureOf(theft)).toMatchObject({ error: "invalid_grant" });
    const again = await ask(one);
    const tokens = await client.authorizationCodeGrant(one, await walk(browser, again.url), again.checks);
    const refresh = client.refreshTokenGrant(other, tokens.refresh_token ?? "");
    expect(await failureOf(refresh)).toMatchObject({ error: "invalid_grant" });
  });

  it("gets no code at an address that its document does not name any more when the person answers", async () => {
    const { url, clock, documents, member } = await startWithDocuments();
    const { browser } = await member("alice");
    const id = documents.publish("/a");
    const { location } = await new Tab(browser).go((await ask(await applicationAt(url, id))).url);
    documents.publish("/a", { redirect_uris: ["https://evil.example/cb"] });
    await clock.advance(900_001);
    const uid = location?.searchParams.get("uid") ?? "";
    expect(await browser.open(`/user/consent?uid=${uid}`)).toMatchObject({ status: 404 });
    expect(await browser.post(`/account/interactions/${uid}`, { allow: true })).toMatchObject({ status: 404 });
  });

  it("goes on for a day while its host does not answer, and ends when the host says that there is no document", async () => {
    const { clock, documents, refusalOf } = await startWithDocuments();
    const id = documents.publish("/a");
    expect(await refusalOf(id)).toBe(known);
    documents.publish("/a", (response) => response.writeHead(503).end());
    await clock.advance(80_000_000);
    expect(await refusalOf(id)).toBe(known);
    await clock.advance(7_000_000);
    expect(await refusalOf(id)).toBe(unreadable);
    documents.publish("/a");
    expect(await refusalOf(id)).toBe(known);
    documents.publish("/a", (response) => response.writeHead(404).end());
    await clock.advance(900_001);
    expect(await refusalOf(id)).toContain("invalid_client");
  });

  it("is unknown where the operator has switched documents off", async () => {
    const { url, documents, refusalOf } = await startWithDocuments(false);
    expect(await refusalOf(documents.publish("/a"))).toContain("invalid_client");
    const metadata = await (await fetch(`${url}/.well-known/oauth-authorization-server`)).json();
    expect(metadata).toMatchObject({ client_id_metadata_document_supported: false });
    expect(documents.asked).toEqual([]);
  });
});

describe("a document", () => {
  const other: Answer = (response) => response.writeHead(302, { location: "/usual" }).end();
  const wrong: readonly (readonly [page: Page, reason: string])[] = [
    [{ client_id: "https://other.example/c" }, "client_id"],
    [{ redirect_uris: [] }, "redirect_uris"],
    [{ redirect_uris: ["javascript:alert(1)"] }, "redirect_uris"],
    [{ redirect_uris: ["javascript://localhost/%0aalert(1)"] }, "redirect_uris"],
    [{ redirect_uris: ["http://app.example/cb"] }, "redirect_uris"],
    [{ client_secret: "s" }, "client_secret"],
    [{ token_endpoint_auth_method: "client_secret_basic" }, "token_endpoint_auth_method"],
    [{ grant_types: ["urn:ietf:params:oauth:grant-type:device_code"] }, "grant_types"],
    [{ scope: "admin" }, "scope"],
    [{ client_name: "a".repeat(10_000) }, "client_name"],
    [{ more: "a".repeat(20_000) }, "cannot be read"],
    ["<html>", "not JSON"],
    ["[]", "no object"],
    [other, "cannot be read"],
  ];

  it("makes no application that breaks a rule, is no document of its address, or leads elsewhere", async () => {
    const { documents, refusalOf } = await startWithDocuments();
    for (const [index, [page, reason]] of wrong.entries()) {
      const id = documents.publish(`/${index}`, page);
      expect(await refusalOf(id)).toMatch(new RegExp(`^invalid_client: The document .*${reason}`));
      expect(documents.asked[index]).toBe(id);
    }
    expect(documents.asked.length).toBe(wrong.length);
  });

  it("that does not come to its end is given up", async () => {
    const { documents, refusalOf } = await startWithDocuments({ timeout: 50 });
    const id = documents.publish("/a", (response) => response.writeHead(200).write("{"));
    expect(await refusalOf(id)).toBe(unreadable);
  });

  it("in the server's own network is not asked for, and the answer does not say what is there", async () => {
    let connections = 0;
    const inside = createServer((socket) => {
      connections += 1;
      socket.destroy();
    }).listen(0, "127.0.0.1");
    await once(inside, "listening");
    onTestFinished(() => void inside.close());
    const address = inside.address();
    const port = typeof address === "object" ? (address?.port ?? 0) : 0;
    const { refusalOf } = await startWithDocuments();
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, "127.0.0.1:1", "169.254.169.254", "[::1]:1"])
      expect([host, await refusalOf(`https://${host}/client`)]).toEqual([host, unreadable]);
    expect(connections).toBe(0);
  });

  it("has a plain address: one that can be written in another way is no id", async () => {
    const { documents, refusalOf } = await startWithDocuments();
    const { host } = documents;
    const ids = [
      `http://${host}`,
      `http://${host}/a/../b`,
      `http://x@${host}/a`,
      `http://${host}/a#b`,
      `HTTP://${host}/a`,
    ];
    for (const id of [...ids, `http://${host}/${"a".repeat(256)}`, `file:///etc/passwd`, `http://app.example/a`])
      expect([id, await refusalOf(id)]).toEqual([id, "invalid_client: client authentication failed"]);
    expect(documents.asked).toEqual([]);
  });

  it("is read once for 20 simultaneous requests", async () => {
    const { documents, refusalOf } = await startWithDocuments();
    const id = documents.publish("/a");
    const all = await Promise.all(Array.from({ length: 20 }, async () => await refusalOf(id)));
    expect(new Set(all)).toEqual(new Set([known]));
    expect(documents.asked).toEqual([id]);
  });

  it("is not read for a stranger who names many: 20 in a minute for a network, and 100 for all", async () => {
    const { clock, documents, refusalOf } = await startWithDocuments({}, 1);
    const many = async (network: number) => {
      const headers = { "x-forwarded-for": `203.0.${network}.7` };
      const paths = Array.from({ length: 25 }, (_, index) => `/${network}/${index}`);
      return await Promise.all(paths.map(async (path) => await refusalOf(documents.publish(path), headers)));
    };
    const refused = (await many(1)).filter((error) => error !== known);
    expect(new Set(refused)).toEqual(
      new Set(["temporarily_unavailable: too many documents about applications are read"]),
    );
    expect([refused.length, documents.asked.length]).toEqual([5, 20]);
    for (const network of [2, 3, 4, 5, 6]) await many(network);
    expect(documents.asked.length).toBe(100);
    expect(await refusalOf(documents.publish("/1/0"), {})).toBe(known);
    await clock.advance(60_000);
    expect(await refusalOf(documents.publish("/late"))).toBe(known);
  });
});
