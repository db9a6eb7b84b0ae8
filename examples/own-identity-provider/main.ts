import { createIntrospectionVerifier, createJwtVerifier, firstOf, userBySubject } from "@telex/auth-server/verifiers";
import { createMemoryBlobs } from "@telex/blobs/memory";
import { createTelex } from "@telex/core";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createHttp, serveHttp } from "@telex/http";
import { createMemoryStorage } from "@telex/storage-memory";

const {
  ISSUER: issuer = "https://login.example.org",
  JWKS: jwksUri = `${issuer}/jwks`,
  INTROSPECTION: endpoint = `${issuer}/token/introspection`,
  CLIENT_SECRET: clientSecret = "",
} = process.env;
const storage = createMemoryStorage();
// Anyone who comes for the first time becomes a user; the subject of the token is kept as the external ID.
const userOf = userBySubject(storage.users);
const telex = await createTelex({
  storage,
  blobs: createMemoryBlobs(),
  images: createSharpEngine(),
  tokens: firstOf(
    createJwtVerifier({ issuer, audience: "telex", jwksUri, userOf }),
    // For tokens that are not JWTs. The provider also says within 30 seconds that one was revoked.
    createIntrospectionVerifier({ endpoint, clientId: "telex", clientSecret, audience: "telex", userOf }),
  ),
});
const { url } = await serveHttp(createHttp(telex), { port: Number(process.env["PORT"] ?? 3000) });
console.log({ url, issuer });
