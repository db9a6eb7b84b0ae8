import * as client from "openid-client";
import type { NewClient } from "../src/oauth/clients/clients.ts";
import { type Browser, start, textOf } from "./server.ts";

/** The redirect address of the application: a program on the person's device, on any port. */
export const redirectUri = "http://127.0.0.1/cb";

export const allScopes = "openid profile chat device";

const isOpen = { execute: [client.allowInsecureRequests] };

type Scene = Awaited<ReturnType<typeof start>>;

/** An application that is registered at a server. */
export async function register({ auth, url }: Scene, wish: Partial<NewClient> = {}) {
  const { client: record, secret } = await auth.services.clients.add({
    name: "Tea timer",
    redirectUris: [redirectUri],
    grants: ["code", "refresh", "device"],
    scopes: allScopes.split(" "),
    hasSecret: false,
    ...wish,
  });
  const proof = secret === null ? client.None() : client.ClientSecretBasic(secret);
  const config = await client.discovery(new URL(url), record.clientId, {}, proof, isOpen);
  return { id: record.clientId, secret, config };
}

/** The error of `operation`. */
export const failureOf = async (operation: Promise<unknown>): Promise<unknown> =>
  await operation.then(
    () => "no failure",
    (error: unknown) => error,
  );

/** How many of some operations succeeded. */
export const countOf = (results: readonly PromiseSettledResult<unknown>[]): number =>
  results.filter(({ status }) => status === "fulfilled").length;

/** The built-in application of the command line. */
export const commandLine = async ({ url }: Scene): Promise<client.Configuration> =>
  await client.discovery(new URL(url), "telex-cli", {}, client.None(), isOpen);

/** A server on which alice is signed in, and an application. */
export async function startOAuth(
  ...[options, wish, ago = 0]: [options?: Parameters<typeof start>[0], wish?: Partial<NewClient>, ago?: number]
) {
  const scene = await start(options);
  await scene.clock.advance(-ago);
  const alice = await scene.member("alice");
  await scene.clock.advance(ago);
  return { ...scene, alice, app: await register(scene, wish) };
}

/** A browser with the cookies of the provider in addition to the one of the session. It does not follow redirects. */
export class Tab {
  readonly #browser: Browser;
  readonly #cookies = new Map<string, string>();

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  async go(url: string, headers: Readonly<Record<string, string>> = {}) {
    const { cookie } = this.#browser;
    const others = [...this.#cookies].map(([name, value]) => `${name}=${value}`);
    const all = [...(cookie === "" ? [] : [cookie]), ...others].join("; ");
    const response = await fetch(url, {
      redirect: "manual",
      headers: { ...headers, ...(all !== "" && { cookie: all }) },
    });
    for (const set of response.headers.getSetCookie()) {
      const [name = "", value = ""] = set.split(";", 1)[0]?.split("=") ?? [];
      if (value === "") this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    const location = response.headers.get("location");
    return {
      status: response.status,
      location: location === null ? null : new URL(location, url),
      text: await response.text(),
    };
  }
}

/** An authorization request, and the values that the application keeps of it. */
export async function ask(config: client.Configuration, more: Readonly<Record<string, string>> = {}) {
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: "http://127.0.0.1:7001/cb",
    scope: allScopes,
    state,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...more,
  });
  return { url: url.href, checks: { pkceCodeVerifier: verifier, expectedState: state } };
}

/** Follows an authorization request to its end, and gives or refuses consent if asked. */
export async function walk(browser: Browser, url: string, isAllowed = true): Promise<URL> {
  const tab = new Tab(browser);
  let { location } = await tab.go(url);
  for (let steps = 0; steps < 6 && location !== null; steps += 1) {
    if (location.origin !== browser.url) return location;
    const uid = location.searchParams.get("uid");
    const next = uid === null ? location.href : await decide(browser, uid, isAllowed);
    ({ location } = await tab.go(next));
  }
  throw new Error("The request came to no end.");
}

/** Answers the question of an application. */
export async function decide(browser: Browser, uid: string, allow: boolean): Promise<string> {
  const answer = await browser.post(`/account/interactions/${uid}`, { allow });
  if (answer.status !== 200) throw new Error(answer.text);
  return textOf(answer, "redirectTo");
}

/** Signs an application in, and returns its tokens. */
export async function signIn(
  { alice, app }: Awaited<ReturnType<typeof startOAuth>>,
  more: Readonly<Record<string, string>> = {},
) {
  const { url, checks } = await ask(app.config, more);
  return await client.authorizationCodeGrant(app.config, await walk(alice.browser, url), checks);
}
