import { once } from "node:events";
import { createServer } from "node:http";
import { Provider } from "oidc-provider";
import type { Page } from "playwright-core";
import { onTestFinished } from "vitest";

const client = { clientId: "telex", clientSecret: "a secret" };

/** A provider of OpenID Connect with its own pages, where anyone can sign in by name. */
export async function startIdentityProvider() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => server.close().closeAllConnections());
  const address = server.address();
  const host = `127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  const issuer = `http://${host}`;
  /** Allows the provider to redirect to a server. */
  const admit = (url: string): void => {
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: client.clientId,
          client_secret: client.clientSecret,
          redirect_uris: [`${url}/user/providers/example`],
        },
      ],
      claims: { openid: ["sub"], profile: ["name", "preferred_username"] },
      cookies: { keys: ["a key of the test"] },
      findAccount: (_ctx, sub) => ({
        accountId: sub,
        claims: () => ({ sub, name: `${sub} of Example`, preferred_username: sub }),
      }),
    });
    const handle = provider.callback();
    server.on("request", (request, response) => void handle(request, response));
  };
  const options = {
    ...client,
    id: "example",
    issuer,
    name: "Example ID",
    scopes: ["openid", "profile"],
    allow: [host],
  };
  return { options, issuer, admit };
}

/** Signs in on the pages of the provider. */
export async function passProvider(page: Page, name: string): Promise<void> {
  // Its pages load fonts from the internet, which tests must not depend on.
  await page.route("https://fonts.googleapis.com/**", (route) => route.abort());
  await page.locator("input[name=login]").fill(name);
  await page.locator("input[name=password]").fill("x");
  await page.locator("button[type=submit]").click();
  await page.locator("input[name=prompt][value=consent]").waitFor({ state: "attached" });
  await page.locator("button[type=submit]").click();
}
