import * as client from "openid-client";
import { errorOf, readArguments } from "./person.ts";

const { issuer, told, walk, answer, call, register } = readArguments();
const options = { execute: [client.allowInsecureRequests] };
const site = await client.discovery(new URL(issuer), told.site, {}, client.ClientSecretBasic(told.secret), options);
const program = await client.discovery(new URL(issuer), told.program, {}, client.None(), {
  ...options,
  algorithm: "oauth2",
});
const scope = "openid profile chat";

async function ask(config: client.Configuration, redirect: string, more: Readonly<Record<string, string>> = {}) {
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const [expectedState, expectedNonce] = [client.randomState(), client.randomNonce()];
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirect,
    scope,
    state: expectedState,
    nonce: expectedNonce,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: "S256",
    ...more,
  });
  return { url, checks: { pkceCodeVerifier, expectedState, expectedNonce } };
}

async function signIn(config: client.Configuration, redirect: string, wrong: object = {}) {
  const { url, checks } = await ask(config, redirect);
  return await client.authorizationCodeGrant(config, await walk(url), { ...checks, ...wrong });
}

async function device(deny: boolean) {
  const shown = await client.initiateDeviceAuthorization(program, { scope });
  await answer(shown.user_code, deny);
  return await client.pollDeviceAuthorizationGrant(program, { ...shown, interval: 1 });
}

const tokens = await signIn(site, told.onServer);
const claims = tokens.claims();
const info = await client.fetchUserInfo(site, tokens.access_token, claims?.sub ?? "");
const introspected = await client.tokenIntrospection(site, tokens.access_token);
const before = await call(tokens.access_token);
await client.tokenRevocation(site, tokens.refresh_token ?? "");
const after = await call(tokens.access_token);
const { active } = await client.tokenIntrospection(site, tokens.access_token);

const refused = await ask(program, told.onDevice);
const denied = errorOf(client.authorizationCodeGrant(program, await walk(refused.url, true), refused.checks));
const wrongVerifier = errorOf(signIn(program, told.onDevice, { pkceCodeVerifier: client.randomPKCECodeVerifier() }));
const refresh = async (token = "") => await client.refreshTokenGrant(program, token);
const first = await signIn(program, told.onDevice);
const second = await refresh(first.refresh_token);
const third = await refresh(second.refresh_token);

async function oneDevice() {
  const { url, checks } = await ask(program, told.onDevice, { scope: "openid device:hall" });
  const { access_token: token, refresh_token: next } = await client.authorizationCodeGrant(
    program,
    await walk(url),
    checks,
  );
  const refreshed = await refresh(next);
  const both = [token, refreshed.access_token];
  return await Promise.all(both.map(async (one) => [await register(one, "hall"), await register(one, "cellar")]));
}

const seen = {
  oneDevice: await oneDevice(),
  scope: tokens.scope,
  idToken: claims?.["name"],
  userInfo: info.name,
  active: [introspected.active, active],
  calls: [before, after],
  denied: await denied,
  wrongVerifier: await wrongVerifier,
  refresh: {
    isRotated: new Set([first, second, third].map(({ refresh_token: one }) => one)).size === 3,
    reuse: await errorOf(refresh(first.refresh_token)),
    family: await errorOf(refresh(third.refresh_token)),
  },
  device: { allowed: await call((await device(false)).access_token), denied: await errorOf(device(true)) },
};
console.log(JSON.stringify(seen));
