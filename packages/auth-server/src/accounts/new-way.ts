import { TelexError } from "@telex/core";
import type { Account } from "@telex/core/storage";
import type { PasswordHasher } from "../credentials/hashing.ts";
import { acceptPassword } from "../credentials/passwords.ts";
import { digestOf } from "../credentials/secrets.ts";
import type { Ceremonies } from "../passkeys/ceremonies.ts";
import type { CreationOptions, PasskeyPerson } from "../passkeys/options.ts";
import type { CreatedPasskey } from "../passkeys/responses.ts";

/** How a person will sign in: with a password or a passkey, one of them. */
export interface NewWay {
  readonly password?: string | undefined;
  readonly passkey?: CreatedPasskey | undefined;
  /** The name of the passkey. */
  readonly passkeyName: string;
}

/** For whom, and by which link, an account is opened or recovered. */
interface Occasion {
  readonly use: "open" | "recover";
  readonly username: string;
  /** The secret of the link; null if no link is needed. */
  readonly secret: string | null;
}

interface NewWaysDeps {
  readonly hasher: PasswordHasher;
  readonly ceremonies: Pick<Ceremonies, "creation" | "create">;
  readonly baseUrl: () => string;
}

/** Takes the first way into an account. */
export interface NewWays {
  /** Options for a passkey. They say nothing about the link. Throws `not_supported`. */
  readonly options: (occasion: Omit<Occasion, "username">, person: PasskeyPerson) => Promise<CreationOptions>;
  /**
   * The password or passkey, as it is stored.
   * @throws TelexError `weak_password`, `busy`; `invalid_request` without one way, and for a passkey that is not accepted; `not_supported`
   */
  readonly accept: (way: NewWay, occasion: Occasion) => Promise<Pick<Account, "passwordHash" | "passkeys">>;
}

/** A passkey works only for the link for which it was made. */
const purposeOf = ({ use, secret }: Omit<Occasion, "username">): string =>
  secret === null ? use : `${use} ${digestOf(secret)}`;

/** Creates what takes the first way into an account. */
export const createNewWays = ({ hasher, ceremonies, baseUrl }: NewWaysDeps): NewWays => ({
  options: async (occasion, person) => await ceremonies.creation(purposeOf(occasion), person),
  async accept({ password, passkey, passkeyName }, occasion) {
    if (passkey === undefined && password !== undefined)
      return {
        passwordHash: await hasher.hash(
          await acceptPassword(password, { username: occasion.username, baseUrl: baseUrl() }),
        ),
        passkeys: [],
      };
    if (passkey === undefined || password !== undefined) throw new TelexError("invalid_request", { reason: "one_way" });
    return { passwordHash: null, passkeys: [await ceremonies.create(purposeOf(occasion), passkey, passkeyName)] };
  },
});
