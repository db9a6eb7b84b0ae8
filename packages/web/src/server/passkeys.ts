import type { AccountClient } from "@telex/auth-server/client";

type CreationOptions = Awaited<ReturnType<AccountClient["passkeyOptions"]>>;
type RequestOptions = Awaited<ReturnType<AccountClient["confirmOptions"]>>;
type CreatedPasskey = Parameters<AccountClient["addPasskey"]>[0]["passkey"];
type UsedPasskey = NonNullable<Parameters<AccountClient["confirm"]>[0]["passkey"]>;

/** True in browsers that convert the options of a server, and their own answer, to and from JSON. */
export const hasPasskeys = (): boolean =>
  "PublicKeyCredential" in globalThis && "parseRequestOptionsFromJSON" in PublicKeyCredential;

/** Waits for a browser; null if the person took no passkey, or their device has one of the account already. */
async function answerOf(ceremony: Promise<Credential | null>): Promise<PublicKeyCredential | null> {
  const answer = await ceremony.catch(() => null);
  return answer instanceof PublicKeyCredential ? answer : null;
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;

/** Reads a field of the response, which the browser writes in base64url. */
const readerOf = (answer: PublicKeyCredential) => {
  const response = fieldOf(answer.toJSON(), "response");
  return (name: string): string => String(fieldOf(response, name));
};

/** Has the browser make a passkey. Null if it did not. */
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

/** Has the browser sign with a passkey. Null if it did not. */
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

/** Lets the browser forget a passkey that opens nothing any more, so that it is not offered again. */
export function forgetPasskey(rpId: string, credentialId: string): void {
  if (!hasPasskeys() || !("signalUnknownCredential" in PublicKeyCredential)) return;
  PublicKeyCredential.signalUnknownCredential({ rpId, credentialId }).catch(() => {});
}
