import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";

const base64url = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString("base64url");
const sha256 = (bytes: Uint8Array | string): Buffer => createHash("sha256").update(bytes).digest();

/** How a response differs from an honest one. */
export interface Lie {
  readonly origin?: string;
  readonly rpId?: string;
  readonly type?: string;
  readonly challenge?: string;
  /** Default: present and verified. */
  readonly flags?: number;
  readonly crossOrigin?: boolean;
  readonly id?: string;
  /** The signature counter of the response. Default: the authenticator does not count. */
  readonly counter?: number;
  /** The attestation object as a whole, or its format and statement. */
  readonly attestationObject?: Uint8Array;
  readonly attestation?: readonly [fmt: string, statement: ReadonlyMap<string, Uint8Array | number>];
  readonly signature?: Uint8Array;
}

const present = 0x01;
const verified = 0x04;
const withKey = 0x40;

/** Options of the server, as far as an authenticator reads them. */
const optionsIn = (options: unknown): { readonly challenge: string; readonly rpId: string } => {
  const text = (value: unknown, ...names: string[]): string => {
    for (const name of names)
      value = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
    return String(value);
  };
  const rpId = text(options, "rpId");
  return { challenge: text(options, "challenge"), rpId: rpId === "undefined" ? text(options, "rp", "id") : rpId };
};

/** An authenticator in software with one ES256 passkey, and the browser around it. */
export class Authenticator {
  readonly #key: KeyObject;
  readonly #public: Map<number, number | Uint8Array>;
  readonly id = base64url(randomBytes(32));
  readonly origin: string;

  constructor(origin: string) {
    this.origin = origin;
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    this.#key = privateKey;
    const { x = "", y = "" } = publicKey.export({ format: "jwk" });
    const coordinate = (text: string) => new Uint8Array(Buffer.from(text, "base64url"));
    this.#public = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, coordinate(x)],
      [-3, coordinate(y)],
    ]);
  }

  #client(options: unknown, type: string, lie: Lie): string {
    const { challenge } = optionsIn(options);
    return JSON.stringify({
      type: lie.type ?? type,
      challenge: lie.challenge ?? challenge,
      origin: lie.origin ?? this.origin,
      crossOrigin: lie.crossOrigin ?? false,
    });
  }

  #head(options: unknown, flags: number, { rpId, counter = 0, ...lie }: Lie): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const kept = (lie.flags ?? present | verified) | flags;
    return Buffer.concat([sha256(rpId ?? optionsIn(options).rpId), Buffer.of(kept), count]);
  }

  /** The result of `navigator.credentials.create`. */
  create(options: unknown, lie: Lie = {}) {
    const id = Buffer.from(this.id, "base64url");
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const key = isoCBOR.encode(this.#public);
    const authData = Buffer.concat([this.#head(options, withKey, lie), Buffer.alloc(16), length, id, key]);
    const [fmt, statement] = lie.attestation ?? ["none", new Map()];
    const object = new Map<string, string | Uint8Array | Map<string, Uint8Array | number>>([
      ["fmt", fmt],
      ["attStmt", new Map(statement)],
      ["authData", new Uint8Array(authData)],
    ]);
    return {
      id: lie.id ?? this.id,
      rawId: lie.id ?? this.id,
      type: "public-key",
      clientExtensionResults: {},
      response: {
        clientDataJSON: base64url(this.#client(options, "webauthn.create", lie)),
        attestationObject: base64url(lie.attestationObject ?? isoCBOR.encode(object)),
        transports: ["internal"],
      },
    };
  }

  /** The result of `navigator.credentials.get`. */
  use(options: unknown, lie: Lie = {}) {
    const clientData = this.#client(options, "webauthn.get", lie);
    const authData = this.#head(options, 0, lie);
    const signature = sign("sha256", Buffer.concat([authData, sha256(clientData)]), this.#key);
    return {
      id: lie.id ?? this.id,
      rawId: lie.id ?? this.id,
      type: "public-key",
      clientExtensionResults: {},
      response: {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(authData),
        signature: base64url(lie.signature ?? signature),
        userHandle: base64url("somebody"),
      },
    };
  }
}
