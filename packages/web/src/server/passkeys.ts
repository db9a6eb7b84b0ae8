import type { AccountClient } from "@telex/auth-server/client";

type CreationOptions = Awaited<ReturnType<AccountClient["passkeyOptions"]>>;
type RequestOptions = Awaited<ReturnType<AccountClient["confirmOptions"]>>;
type CreatedPasskey = Parameters<AccountClient["addPasskey"]>[0]["passkey"];
type UsedPasskey = NonNullable<Parameters<AccountClient["confirm"]>[0]["passkey"]>;

/** True if the browser can convert the options of the server and its own responses from and to JSON. */
export const hasPasskeys = (): boolean =>
  "PublicKeyCredential" in globalThis && "parseRequestOptionsFromJSON" in PublicKeyCredential;

/** Waits for the browser. Null if the person used no passkey, or the device already has one of the account. */
async function answerOf(ceremony: Promise<Credential | null>): Promise<PublicKeyCredential | null> {
  const answer = await ceremony.catch(() => null);
  return answer instanceof PublicKeyCredential ? answer : null;
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;

/** Reads a field of the response, which the browser encodes in base64url. */
const readerOf = (answer: PublicKeyCredential) => {
  const response = fieldOf(answer.toJSON(), "response");
  return (name: string): string => String(fieldOf(response, name));
};

/** Asks the browser to create a passkey. Null if it did not. */
export async function makePasskey(options: CreationOptions): Promise<CreatedPasskey | null> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const made = await answerOf(navigator.credentials.create({ publicKey }));
  if (made === null) return null;
  const read = readerOf(made);
  const { id, response } = made;
  const transports = response instanceof AuthenticatorAttestationResponse ? response.getTransports() : [];
  const [clientDataJSON, attestationObject] = [read("clientDataJSON"), read("attestationObject")];
  return { id, rawId: id, type: "public-key", response: { clientDataJSON, attestationObject, transports } };
}

/** Asks the browser to sign with a passkey. Null if it did not. */
export async function signWithPasskey(options: RequestOptions): Promise<UsedPasskey | null> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const used = await answerOf(navigator.credentials.get({ publicKey }));
  if (used === null) return null;
  const read = readerOf(used);
  const { id } = used;
  const clientDataJSON = read("clientDataJSON");
  const [authenticatorData, signature] = [read("authenticatorData"), read("signature")];
  return { id, rawId: id, type: "public-key", response: { clientDataJSON, authenticatorData, signature } };
}

/** Asks the browser to forget a removed passkey, so that it is not offered again. */
export function forgetPasskey(rpId: string, credentialId: string): void {
  if (!hasPasskeys() || !("signalUnknownCredential" in PublicKeyCredential)) return;
  PublicKeyCredential.signalUnknownCredential({ rpId, credentialId }).catch(() => {});
}
