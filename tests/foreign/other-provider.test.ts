import { createServer } from "node:http";
import { createAuth } from "@telex/auth-server";
import { createMemoryBlobs } from "@telex/blobs/memory";
import { createTelex } from "@telex/core";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createHttp, serveHttp } from "@telex/http";
import { createMemoryStorage } from "@telex/storage-memory";
import { expect, it, onTestFinished } from "vitest";
import { runFramework } from "./support/framework.ts";
import { goProgram } from "./support/go.ts";

/** A port of this machine that is free now: the provider must know the address of Telex, and Telex that of the provider. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Telex, and the provider of zitadel/oidc with its own users. */
async function startBoth() {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const program = runFramework(goProgram("oidc-go"), [`${url}/user/providers/zitadel`]);
  const ready = await program.seen({ kind: "ready" });
  const issuer = String(ready?.["issuer"]);
  const storage = createMemoryStorage();
  const telex = await createTelex({ storage, blobs: createMemoryBlobs(), images: createSharpEngine() });
  const provider = {
    id: "zitadel",
    issuer,
    clientId: "telex",
    clientSecret: "a secret",
    name: "Zitadel",
    allow: [new URL(issuer).host],
  };
  const auth = createAuth(telex, { storage, baseUrl: url, registration: "open", providers: [provider] });
  const { authenticator, routes, forms } = auth;
  const serving = await serveHttp(createHttp(telex, { authenticator, routes, forms }), { port });
  onTestFinished(async () => {
    await serving.close(0);
    await telex.close();
  });
  return { url, issuer };
}

/** A browser that keeps the cookies of several sites and follows redirects. */
function createVisitor() {
  const jar = new Map<string, string>();
  const open = async (url: string, form?: Readonly<Record<string, string>>): Promise<{ url: string; text: string }> => {
    const { origin } = new URL(url);
    const cookies = [...jar]
      .filter(([name]) => name.startsWith(origin))
      .map(([name, value]) => `${name.slice(origin.length + 1)}=${value}`);
    const response = await fetch(url, {
      redirect: "manual",
      headers: { cookie: cookies.join("; "), origin },
      ...(form !== undefined && { method: "POST", body: new URLSearchParams(form) }),
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      jar.set(`${origin} ${name}`, value);
    }
    const text = await response.text();
    const next =
      response.headers.get("location") ?? /content="0;url=([^"]+)"/.exec(text)?.[1]?.replaceAll("&amp;", "&");
    return next === undefined || next.startsWith("/user/account") ? { url, text } : await open(new URL(next, url).href);
  };
  return open;
}

it("a person signs in with an account at the provider of zitadel/oidc, whose claims become the account", async () => {
  const { url, issuer } = await startBoth();
  const open = createVisitor();
  const login = await open(`${url}/user/providers?for=enter`, { provider: "zitadel", to: "/user/account/" });
  expect(login.url).toContain(`${issuer}/login/username`);
  const [, id = ""] = /name="id" value="([^"]+)"/.exec(login.text) ?? [];
  const { origin, pathname } = new URL(login.url);
  const refused = await open(origin + pathname, { id, username: "test-user@127.0.0.1", password: "wrong" });
  expect(refused.url).toContain(issuer);
  await open(origin + pathname, { id, username: "test-user@127.0.0.1", password: "verysecure" });
  const account = await open(`${url}/external/api/v1/account`);
  expect(JSON.parse(account.text)).toMatchObject({ data: { username: "test-user", nickname: "Test User" } });
  const { text } = await open(`${url}/external/api/v1/account/identities`);
  expect(JSON.parse(text)).toMatchObject({ data: { list: [{ issuer, provider: "Zitadel" }] } });
});
