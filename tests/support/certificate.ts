import { generateKeyPairSync, sign } from "node:crypto";

/** A certificate that its own key has signed, for `localhost` and 127.0.0.1, in PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** A value in DER: a tag, the length, and the content. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head =
    length < 128 ? [tag, length] : length < 256 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from(head), content]);
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
const id = (hex: string): Buffer => der(0x06, Buffer.from(hex, "hex"));
const bits = (bytes: Uint8Array): Buffer => der(0x03, Buffer.from([0]), bytes);

const ecdsaWithSha256 = sequence(id("2a8648ce3d040302"));
const commonName = sequence(der(0x31, sequence(id("550403"), der(0x0c, Buffer.from("localhost")))));
/** From 2020 to 2099. */
const validity = sequence(der(0x18, Buffer.from("20200101000000Z")), der(0x18, Buffer.from("20990101000000Z")));
const names = sequence(der(0x82, Buffer.from("localhost")), der(0x87, Buffer.from([127, 0, 0, 1])));
const extensions = der(0xa3, sequence(sequence(id("551d11"), der(0x04, names))));

/** Makes a certificate without OpenSSL. */
export function createCertificate(): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const version = der(0xa0, der(0x02, Buffer.from([2])));
  const serial = der(0x02, Buffer.from([1]));
  const subject = publicKey.export({ type: "spki", format: "der" });
  const body = sequence(version, serial, ecdsaWithSha256, commonName, validity, commonName, subject, extensions);
  const whole = sequence(body, ecdsaWithSha256, bits(sign("sha256", body, privateKey)));
  const lines = whole.toString("base64").replaceAll(/.{64}/g, "$&\n");
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }),
  };
}
