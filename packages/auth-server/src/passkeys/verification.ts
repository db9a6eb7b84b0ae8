import type { Passkey } from "@telex/core/storage";
import { algorithms } from "./options.ts";
import type { RelyingParty } from "./relying-party.ts";
import type { CreatedPasskey, UsedPasskey } from "./responses.ts";

/** The parts of a response that both kinds have, before anything is verified. */
interface ClientData {
  readonly challenge: string;
  /** True if a page of another site asked in a frame. */
  readonly isCrossOrigin: boolean;
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;

/** Reads the data of the browser; null if it is not readable. */
export function readClientData({ response }: CreatedPasskey | UsedPasskey): ClientData | null {
  try {
    const data: unknown = JSON.parse(Buffer.from(response.clientDataJSON, "base64url").toString());
    const challenge = fieldOf(data, "challenge");
    return typeof challenge === "string" ? { challenge, isCrossOrigin: fieldOf(data, "crossOrigin") === true } : null;
  } catch {
    return null;
  }
}

/** The library, when it is first needed: it reads certificates, and is large. */
const load = async () => {
  const [server, helpers] = await Promise.all([
    import("@simplewebauthn/server"),
    import("@simplewebauthn/server/helpers"),
  ]);
  return { ...server, ...helpers };
};

/**
 * An attestation object without its statement. Statements are ignored, because browsers were asked for none: the server would only parse
 * certificates of strangers, and fetch revocation lists from addresses in them.
 */
function withoutStatement(
  { isoCBOR, isoBase64URL, decodeAttestationObject }: Awaited<ReturnType<typeof load>>,
  text: string,
): string {
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(text)).get("authData");
  const plain = isoCBOR.encode(
    new Map<string, string | Uint8Array | Map<string, string>>([
      ["fmt", "none"],
      ["attStmt", new Map()],
      ["authData", authData],
    ]),
  );
  return isoBase64URL.fromBuffer(plain);
}

/** Verifies a new passkey; null if it is not for this relying party and challenge, or the person was not verified. */
export async function verifyCreated(
  { rpId, origin }: RelyingParty,
  challenge: string,
  { id, rawId, type, response }: CreatedPasskey,
): Promise<Pick<Passkey, "credentialId" | "publicKey" | "counter"> | null> {
  const library = await load();
  try {
    const attestationObject = withoutStatement(library, response.attestationObject);
    const { registrationInfo } = await library.verifyRegistrationResponse({
      response: {
        id,
        rawId,
        type,
        clientExtensionResults: {},
        response: { clientDataJSON: response.clientDataJSON, attestationObject },
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...algorithms],
    });
    if (registrationInfo === undefined || registrationInfo.credential.id !== id) return null;
    const { publicKey, counter } = registrationInfo.credential;
    return { credentialId: id, publicKey: Buffer.from(publicKey).toString("base64url"), counter };
  } catch {
    return null;
  }
}

/**
 * Verifies a signature; null if it is not one of this passkey for this relying party and challenge, or the person was not verified.
 * @returns the count of signatures, which the caller compares: the stored one may be older
 */
export async function verifyUsed(
  { rpId, origin }: RelyingParty,
  challenge: string,
  { id, rawId, type, response }: UsedPasskey,
  { credentialId, publicKey }: Passkey,
): Promise<{ readonly counter: number } | null> {
  const { verifyAuthenticationResponse } = await load();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { id, rawId, type, clientExtensionResults: {}, response },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      credential: { id: credentialId, publicKey: new Uint8Array(Buffer.from(publicKey, "base64url")), counter: 0 },
    });
    return verified ? { counter: authenticationInfo.newCounter } : null;
  } catch {
    return null;
  }
}
