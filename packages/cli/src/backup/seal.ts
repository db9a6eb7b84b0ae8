import type { ByteStream } from "@telex/core/storage";
import { Failure, messageOf, UsageError } from "../errors/errors.ts";
import { readText } from "../input/read-text.ts";

/** Encrypts or decrypts a stream in chunks of 64 KiB. */
export type Seal = (bytes: ByteStream) => Promise<ByteStream>;

/** Loads the library when it is needed. */
const load = async () => await import("age-encryption");

const streamOf = (bytes: ByteStream): ReadableStream<Uint8Array> => ReadableStream.from(bytes);

/**
 * Encrypts for the owners of these public keys, in the format of age.
 * @throws UsageError for a key that is not a public key of age
 */
export async function createEncryption(recipients: readonly string[]): Promise<Seal> {
  const { Encrypter } = await load();
  const encrypter = new Encrypter();
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient);
    } catch (cause) {
      const advice = 'It begins with "age1"; age-keygen prints it.';
      throw new UsageError(`--recipient must be a public key of age, not "${recipient}". ${advice}`, { cause });
    }
  }
  return async (bytes) => await encrypter.encrypt(streamOf(bytes));
}

/** The secret keys in a file: all lines except empty ones and comments. */
function readIdentities(file: string): readonly string[] {
  const lines = readText("identity file", file).split("\n");
  return lines.map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("#"));
}

/**
 * Decrypts with the secret keys of an identity file, as `age-keygen` writes it.
 * @throws UsageError if the file cannot be read or contains no key of age
 */
export async function createDecryption(file: string): Promise<Seal> {
  const { Decrypter } = await load();
  const decrypter = new Decrypter();
  const identities = readIdentities(file);
  try {
    if (identities.length === 0) throw new Error("It holds no key.");
    for (const identity of identities) decrypter.addIdentity(identity);
  } catch (cause) {
    // The message of the library may contain the key.
    throw new UsageError(`${file} must hold a secret key of age: a line that begins with AGE-SECRET-KEY-.`, { cause });
  }
  return async (bytes) => await decrypter.decrypt(streamOf(bytes)).catch(refuse);
}

/** The library reads the header of a file first, which says who can decrypt it. */
function refuse(cause: unknown): never {
  if (!/no identity matched/.test(messageOf(cause))) throw cause;
  const message = "The identity file does not hold the key that this backup was encrypted for.";
  throw new Failure("identity_wrong", message, { cause });
}
