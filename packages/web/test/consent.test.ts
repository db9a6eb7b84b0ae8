import { hash, randomBytes } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { type AccountServer, serveForeignPage, useAccounts } from "./accounts.ts";
import { useBrowser } from "./browser.ts";

const browser = useBrowser();

/** An application on a separate server, with the URL at which it requests access. */
async function useApplication({ url, auth }: AccountServer, site: string) {
  const redirectUri = `${site}cb`;
  const { client, secret } = await auth.services.clients.add({
    name: "Wiki",
    redirectUris: [redirectUri],
    grants: ["code"],
    scopes: ["openid", "chat"],
    hasSecret: true,
  });
  const verifier = randomBytes(32).toString("base64url");
  const query = new URLSearchParams({
    client_id: client.clientId,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: "openid chat",
    state: "tea",
    code_challenge: hash("sha256", verifier, "base64url"),
    code_challenge_method: "S256",
  });
  const headers = { authorization: `Basic ${Buffer.from(`${client.clientId}:${secret}`).toString("base64")}` };
  return {
    address: `${url}/oauth2/authorize?${query.toString()}`,
    redirectUri,
    /** Exchanges a code for tokens. */
    take: async (code: string): Promise<unknown> => {
      const fields = { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: verifier };
      const init = { method: "POST", headers, body: new URLSearchParams(fields) };
      return await (await fetch(`${url}/oauth2/token`, init)).json();
    },
  };
}

/** A browser that an application has redirected to the server, where carol signs in. */
async function askedBy(site: string, address: string) {
  const context = await browser().newContext({ locale: "en" });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(site);
  await page.evaluate((target) => location.assign(target), address);
  await page.getByLabel("Username").fill("carol");
  await page.getByLabel("Password", { exact: true }).fill("carol's password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Wiki wants access" }).waitFor();
  return page;
}

test("an application gets access after the person signs in and allows the requested scopes", async () => {
  const server = await useAccounts();
  await server.member("carol");
  const site = await serveForeignPage("<!doctype html><h1>Wiki</h1>");
  const wiki = await useApplication(server, site);
  const page = await askedBy(site, wiki.address);
  await page.getByText("read and write messages").waitFor();
  await page.getByRole("button", { name: "Allow" }).click();
  await page.getByRole("heading", { name: "Wiki", exact: true }).waitFor();
  const answer = new URL(page.url());
  expect(`${answer.origin}${answer.pathname}`).toBe(wiki.redirectUri);
  expect(Object.fromEntries(answer.searchParams)).toMatchObject({ state: "tea", iss: server.url });
  expect(await wiki.take(answer.searchParams.get("code") ?? "")).toMatchObject({ scope: "openid chat" });
});

test("an application learns that it was denied, and no other site can frame or submit the consent page", async () => {
  const server = await useAccounts();
  await server.member("carol");
  const site = await serveForeignPage("<!doctype html><h1>Wiki</h1>");
  const wiki = await useApplication(server, site);
  const page = await askedBy(site, wiki.address);
  const question = page.url();
  const uid = new URL(question).searchParams.get("uid") ?? "";
  const evil = await serveForeignPage(`<!doctype html><iframe src="${question}"></iframe>
    <form method="post" action="${server.url}/user/consent"><input name="uid" value="${uid}">
    <input name="answer" value="allow"><button>Win</button></form>`);
  const attacked = await page.context().newPage();
  const refused: string[] = [];
  attacked.on("console", (message) => refused.push(message.text()));
  await attacked.goto(evil);
  await expect.poll(() => refused.join()).toMatch(/frame-ancestors/);
  await attacked.getByRole("button", { name: "Win" }).click();
  await attacked.getByText("The form was not sent from a page of this server.").waitFor();
  await page.getByRole("button", { name: "Refuse" }).click();
  await page.getByRole("heading", { name: "Wiki", exact: true }).waitFor();
  expect(new URL(page.url()).searchParams.get("error")).toBe("access_denied");
});
