import { createPublicKey, createSecretKey } from "node:crypto";
import { createManualClock } from "@telex/conformance/testing";
import { createMemoryStorage } from "@telex/storage-memory";
import {
  createIntrospectionVerifier,
  createJwtVerifier,
  firstOf,
  userBySubject,
  type VerifierOptions,
} from "@telex/auth-server/verifiers";
import { importJWK, type JWK } from "jose";
import { describe, expect, it } from "vitest";
import { asker, audience, goodClaims, listen, sign, startOtherProvider } from "./other-provider.ts";

type Other = Awaited<ReturnType<typeof startOtherProvider>>;

const unavailable = { code: "storage_unavailable" };
const userOf: VerifierOptions["userOf"] = async ({ sub }) => await Promise.resolve(Number(sub.split("-")[1]));
const alice = { kind: "token", userId: 7, scopes: ["chat"], tokenId: null };

const introspecting = (other: Other, options: object = {}) =>
  createIntrospectionVerifier({ endpoint: `${other.url}/token/introspection`, ...asker, userOf, ...options });

const reading = (other: Pick<Other, "url">, options: object = {}) =>
  createJwtVerifier({ issuer: other.url, audience, jwksUri: `${other.url}/jwks`, userOf, ...options });

const publishedKeyOf = ({ d: _private, ...key }: JWK) => createPublicKey({ key, format: "jwk" });

describe("introspection", () => {
  it("finds the holder of an opaque token, and asks once for 50 simultaneous callers", async () => {
    const other = await startOtherProvider();
    const verifier = introspecting(other, { issuer: other.url, audience });
    const token = await other.issue();
    const holders = await Promise.all(Array.from({ length: 50 }, () => verifier.authenticate(token)));
    for (const holder of holders) expect(holder).toMatchObject(alice);
    expect(holders[0]?.expiresAt).toBeGreaterThan(Date.now());
    expect(other.calls).toEqual(["/token/introspection"]);
  });

  it("remembers an invalid token for a while, and keeps it apart from valid ones", async () => {
    const other = await startOtherProvider();
    const clock = createManualClock(Date.now());
    const verifier = introspecting(other, { clock, cacheSize: 2 });
    const token = await other.issue();
    await verifier.authenticate(token);
    for (const junk of ["a", "b", "c", "c", "c"]) expect(await verifier.authenticate(junk)).toBeNull();
    expect(other.calls).toHaveLength(4);
    await verifier.authenticate(token);
    expect(other.calls).toHaveLength(4);
    await clock.advance(10_000);
    await verifier.authenticate("c");
    expect(other.calls).toHaveLength(5);
  });

  it("accepts a revoked token until the cache time is over, and not longer", async () => {
    const other = await startOtherProvider();
    const clock = createManualClock(Date.now());
    const verifier = introspecting(other, { clock, cacheSeconds: 30 });
    const token = await other.issue();
    await verifier.authenticate(token);
    await other.revoke(token);
    await clock.advance(29_999);
    expect(await verifier.authenticate(token)).toMatchObject(alice);
    await clock.advance(1);
    expect(await verifier.authenticate(token)).toBeNull();
  });

  it("refuses a token of another audience or issuer, a refresh token, and one that is bound to a key", async () => {
    const other = await startOtherProvider();
    const foreign = await other.issue({ audience: "https://other.example" });
    expect(await introspecting(other, { audience }).authenticate(foreign)).toBeNull();
    expect(await introspecting(other).authenticate(foreign)).toMatchObject(alice);
    expect(await introspecting(other, { issuer: "https://other.example" }).authenticate(foreign)).toBeNull();
    expect(await introspecting(other).authenticate(await other.issueRefreshToken())).toBeNull();
    other.become((_request, response) => {
      response.end(JSON.stringify({ active: true, sub: "alice-7", token_type: "Bearer", cnf: { jkt: "x" } }));
    });
    expect(await introspecting(other).authenticate("bound")).toBeNull();
  });

  it("gives no application the scope admin, unless the host maps it", async () => {
    const other = await startOtherProvider();
    const token = await other.issue({ scope: "chat admin" });
    expect(await introspecting(other).authenticate(token)).toMatchObject({ scopes: ["chat"] });
    const mapped = introspecting(other, { scopesOf: ({ scope }: { scope: string }) => scope.split(" ") });
    expect(await mapped.authenticate(token)).toMatchObject({ scopes: ["chat", "admin"] });
  });

  it("calls no token invalid while the provider answers anything but a decision, and recovers", async () => {
    const other = await startOtherProvider();
    const token = await other.issue();
    const wrongSecret = introspecting(other, { clientSecret: "wrong" });
    await expect(wrongSecret.authenticate(token)).rejects.toMatchObject(unavailable);
    const bodies = ["", "{", '{"active":"true"}', '"active"', `{"active":false,"x":"${"x".repeat(70_000)}"}`];
    const broken = await listen((_request, response) => void response.end(bodies.shift()));
    while (bodies.length > 0) {
      const verifier = introspecting({ ...other, url: broken.url });
      await expect(verifier.authenticate(token)).rejects.toMatchObject(unavailable);
    }
    const redirecting = await listen((_request, response) =>
      response.writeHead(307, { location: `${other.url}/token/introspection` }).end(),
    );
    const redirected = introspecting({ ...other, url: redirecting.url });
    await expect(redirected.authenticate(token)).rejects.toMatchObject(unavailable);
    let isAway = true;
    const restarting = introspecting(other, {
      fetch: async (...input: Parameters<typeof fetch>) => {
        if (isAway) throw new TypeError("fetch failed");
        return await fetch(...input);
      },
    });
    await expect(restarting.authenticate(token)).rejects.toMatchObject(unavailable);
    isAway = false;
    expect(await restarting.authenticate(token)).toMatchObject(alice);
  });

  it("asks about 200 tokens simultaneously at most, and does not wait for a provider that hangs", async () => {
    const hanging = await listen(() => undefined);
    const other = await startOtherProvider();
    const verifier = introspecting({ ...other, url: hanging.url }, { timeout: 100 });
    const answers = await Promise.allSettled(
      Array.from({ length: 201 }, (_value, number) => verifier.authenticate(`junk-${number}`)),
    );
    for (const answer of answers) expect(answer).toMatchObject({ status: "rejected", reason: unavailable });
    expect(answers.at(-1)).toMatchObject({ reason: { cause: { message: "Too many tokens are being verified." } } });
  });
});

describe("JWTs", () => {
  it("are verified with the keys of the provider, which are loaded once", async () => {
    const other = await startOtherProvider();
    const verifier = reading(other);
    const token = await other.issue({ format: "jwt", scope: "chat admin device device:kitchen" });
    const holders = await Promise.all(Array.from({ length: 50 }, () => verifier.authenticate(token)));
    const scopes = ["chat", "device", "device:kitchen"];
    for (const holder of holders) expect(holder).toMatchObject({ ...alice, scopes });
    expect(other.calls).toEqual(["/jwks"]);
    other.fail();
    expect(await verifier.authenticate(token)).toMatchObject({ userId: 7 });
  });

  it("are refused from their expiry on, also out of the cache", async () => {
    const other = await startOtherProvider();
    const clock = createManualClock(Date.now());
    const verifier = reading(other, { clock });
    const token = await other.issue({ format: "jwt" });
    const holder = await verifier.authenticate(token);
    await clock.advance((holder?.expiresAt ?? 0) - clock.now() - 1);
    expect(await verifier.authenticate(token)).toMatchObject(alice);
    await clock.advance(1);
    expect(await verifier.authenticate(token)).toBeNull();
  });

  it("of a new key are accepted without a restart", async () => {
    const other = await startOtherProvider();
    const verifier = reading(other);
    const old = await other.issue({ format: "jwt" });
    const issueWithNewKey = await other.rotate(true);
    expect(await verifier.authenticate(await issueWithNewKey())).toMatchObject(alice);
    expect(await verifier.authenticate(old)).toMatchObject(alice);
    const gone = reading(other);
    await other.rotate(false);
    expect(await gone.authenticate(await other.issue({ format: "jwt", sub: "bob-8" }))).toBeNull();
  });

  it("are refused if somebody else could have made them, or if they are meant for something else", async () => {
    const other = await startOtherProvider();
    const stranger = await startOtherProvider();
    const key = await importJWK(other.key, "ES256");
    const published = publishedKeyOf(other.key).export({ type: "spki", format: "pem" });
    const claims = goodClaims(other.url);
    const none = [
      { alg: "none", typ: "at+jwt" },
      { ...claims, exp: Date.now() / 1000 + 60 },
    ]
      .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
      .join(".");
    const good = { alg: "ES256", typ: "at+jwt" };
    const tokens = {
      none: `${none}.`,
      noneWithSignature: `${none}.AAAA`,
      publicKeyAsSecret: await sign(claims, { alg: "HS256", typ: "at+jwt" }, createSecretKey(Buffer.from(published))),
      idToken: await sign(claims, { alg: "ES256", typ: "JWT" }, key),
      withoutType: await sign(claims, { alg: "ES256" }, key),
      otherAudience: await sign({ ...claims, aud: "app" }, good, key),
      withoutAudience: await sign({ ...claims, aud: undefined }, good, key),
      otherIssuer: await sign({ ...claims, iss: `${other.url}/` }, good, key),
      withoutSubject: await sign({ ...claims, sub: undefined }, good, key),
      bound: await sign({ ...claims, cnf: { jkt: "x" } }, good, key),
      strangersKey: await sign(claims, good, await importJWK(stranger.key, "ES256")),
      unknownKey: await sign(claims, { ...good, kid: "third" }, key),
      changed: (await sign(claims, good, key)).replace(/\.[\w-]+\./, `.${Buffer.from("{}").toString("base64url")}.`),
      opaque: "tlxp_nobody",
    };
    for (const [name, token] of Object.entries(tokens)) {
      expect([name, await reading(other).authenticate(token)]).toEqual([name, null]);
    }
    const accepted = await sign(claims, good, key);
    expect(await reading(other).authenticate(accepted)).toMatchObject(alice);
    const tomorrow = createManualClock(Date.now() + 86_400_000);
    expect(await reading(other, { clock: tomorrow }).authenticate(accepted)).toBeNull();
    expect(() => reading(other, { algorithms: ["HS256"] })).toThrow("shared secret");
  });

  it("are not called invalid while the keys cannot be loaded", async () => {
    const other = await startOtherProvider();
    const token = await other.issue({ format: "jwt" });
    other.fail();
    const verifier = reading(other);
    await expect(verifier.authenticate(token)).rejects.toMatchObject(unavailable);
    await expect(reading({ url: "http://127.0.0.1:1" }).authenticate(token)).rejects.toMatchObject(unavailable);
  });
});

describe("several verifiers", () => {
  it("ask one after another, and say that a token is invalid only if all of them could decide", async () => {
    const other = await startOtherProvider();
    const both = firstOf(reading(other), introspecting(other));
    expect(await both.authenticate(await other.issue())).toMatchObject(alice);
    expect(other.calls).toEqual(["/token/introspection"]);
    expect(await both.authenticate(await other.issue({ format: "jwt" }))).toMatchObject(alice);
    expect(await both.authenticate("nobody")).toBeNull();
    const away = reading({ url: "http://127.0.0.1:1" });
    const token = await other.issue({ format: "jwt" });
    expect(await firstOf(away, reading(other)).authenticate(token)).toMatchObject(alice);
    await expect(firstOf(away, introspecting(other)).authenticate(token)).rejects.toMatchObject(unavailable);
    expect(await firstOf().authenticate("nobody")).toBeNull();
  });
});

describe("the user of a subject", () => {
  it("is one, however many requests come first, and is refused where the subject is too long", async () => {
    const { users } = createMemoryStorage();
    const find = userBySubject(users, { prefix: "keycloak:" });
    const claims = { sub: "3b241101-e2bb-4255-8caf-4136c566a962", name: " ", preferred_username: "alice" };
    const ids = await Promise.all(Array.from({ length: 20 }, () => find(claims)));
    expect(new Set(ids).size).toBe(1);
    expect(await users.findUserByExt(`keycloak:${claims.sub}`)).toMatchObject({ nickname: "alice" });
    expect(await find({ sub: "x".repeat(56) })).toBeNull();
  });

  it("that cannot be found out leaves the token undecided", async () => {
    const other = await startOtherProvider();
    const verifier = reading(other, { userOf: async () => await Promise.reject(new Error("The database is away.")) });
    await expect(verifier.authenticate(await other.issue({ format: "jwt" }))).rejects.toMatchObject(unavailable);
    const nobody = reading(other, { userOf: async () => await Promise.resolve(null) });
    expect(await nobody.authenticate(await other.issue({ format: "jwt" }))).toBeNull();
  });
});
