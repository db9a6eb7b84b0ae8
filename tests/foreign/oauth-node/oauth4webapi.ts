import * as oauth from "oauth4webapi";
import { errorOf, readArguments } from "./person.ts";

const { issuer, told, walk, answer, call } = readArguments();
const options = { [oauth.allowInsecureRequests]: true };
const discovered = await oauth.discoveryRequest(new URL(issuer), { algorithm: "oauth2", ...options });
const as = await oauth.processDiscoveryResponse(new URL(issuer), discovered);
const site = { id: { client_id: told.site }, proof: oauth.ClientSecretPost(told.secret), redirect: told.onServer };
const program = { id: { client_id: told.program }, proof: oauth.None(), redirect: told.onDevice };
type Application = typeof site;
const scope = "openid profile chat";

async function signIn({ id, proof, redirect }: Application, { deny = false, verifier = "" } = {}) {
  const own = oauth.generateRandomCodeVerifier();
  const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
  const url = new URL(as.authorization_endpoint ?? "");
  url.search = new URLSearchParams({
    client_id: id.client_id,
    response_type: "code",
    redirect_uri: redirect,
    scope,
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(own),
    code_challenge_method: "S256",
  }).toString();
  const params = oauth.validateAuthResponse(as, id, await walk(url, deny), state);
  const used = verifier === "" ? own : verifier;
  const response = await oauth.authorizationCodeGrantRequest(as, id, proof, params, redirect, used, options);
  return await oauth.processAuthorizationCodeResponse(as, id, response, {
    expectedNonce: nonce,
    requireIdToken: true,
  });
}

async function device(deny: boolean) {
  const { id, proof } = program;
  const asked = await oauth.deviceAuthorizationRequest(as, id, proof, { scope }, options);
  const shown = await oauth.processDeviceAuthorizationResponse(as, id, asked);
  const poll = async () =>
    await oauth.processDeviceCodeResponse(
      as,
      id,
      await oauth.deviceCodeGrantRequest(as, id, proof, shown.device_code, options),
    );
  const pending = await errorOf(poll());
  await answer(shown.user_code, deny);
  return { pending, error: deny ? await errorOf(poll()) : null, token: deny ? "" : (await poll()).access_token };
}

async function isActive(token: string): Promise<boolean> {
  const response = await oauth.introspectionRequest(as, site.id, site.proof, token, options);
  return (await oauth.processIntrospectionResponse(as, site.id, response)).active;
}

async function refresh(token = "") {
  const response = await oauth.refreshTokenGrantRequest(as, program.id, program.proof, token, options);
  return await oauth.processRefreshTokenResponse(as, program.id, response);
}

const tokens = await signIn(site);
const claims = oauth.getValidatedIdTokenClaims(tokens);
const infoResponse = await oauth.userInfoRequest(as, site.id, tokens.access_token, options);
const info = await oauth.processUserInfoResponse(as, site.id, claims?.sub ?? "", infoResponse);
const [active, before] = [await isActive(tokens.access_token), await call(tokens.access_token)];
await oauth.processRevocationResponse(
  await oauth.revocationRequest(as, site.id, site.proof, tokens.refresh_token ?? "", options),
);
const [ended, after] = [await isActive(tokens.access_token), await call(tokens.access_token)];
const denied = await errorOf(signIn(program, { deny: true }));
const wrongVerifier = await errorOf(signIn(program, { verifier: oauth.generateRandomCodeVerifier() }));
const first = await signIn(program);
const second = await refresh(first.refresh_token);
const third = await refresh(second.refresh_token);
const [allowed, refused] = [await device(false), await device(true)];

const seen = {
  scope: tokens.scope,
  idToken: claims?.["name"],
  userInfo: info.name,
  active: [active, ended],
  calls: [before, after],
  denied,
  wrongVerifier,
  refresh: {
    isRotated: new Set([first, second, third].map(({ refresh_token: one }) => one)).size === 3,
    reuse: await errorOf(refresh(first.refresh_token)),
    family: await errorOf(refresh(third.refresh_token)),
  },
  device: { pending: allowed.pending, allowed: await call(allowed.token), denied: refused.error },
};
console.log(JSON.stringify(seen));
