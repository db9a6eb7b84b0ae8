import { TelexError } from "@telex/core";
import type { CallRequest } from "@telex/core/contract";
import type { Account, Passkey } from "@telex/core/storage";
import type { AuthDeps } from "../options.ts";
import { noteRefused } from "../throttle/note-refused.ts";
import type { Challenges } from "./challenges.ts";
import {
  type CreationOptions,
  creationOptionsOf,
  type PasskeyPerson,
  type RequestOptions,
  requestOptionsOf,
} from "./options.ts";
import { assertRelyingParty } from "./relying-party.ts";
import type { CreatedPasskey, UsedPasskey } from "./responses.ts";
import { readClientData, verifyCreated, verifyUsed } from "./verification.ts";

interface CeremoniesDeps extends Pick<AuthDeps, "telex" | "storage" | "baseUrl"> {
  readonly challenges: Challenges;
}

/** A passkey that was used, and the account that it opens. */
export interface Used {
  readonly account: Account;
  readonly credentialId: string;
  /** Signatures of the passkey, as its authenticator counts them; 0 if it does not count. */
  readonly counter: number;
}

/** The messages about passkeys between browsers and this server. Each is for one purpose: see {@link Challenges}. */
export interface Ceremonies {
  /** Options for making a passkey. Throws `not_supported`. */
  readonly creation: (purpose: string, person: PasskeyPerson) => Promise<CreationOptions>;
  /** Options for using one of some passkeys, or any with an empty list. Throws `not_supported`. */
  readonly request: (purpose: string, passkeys: Account["passkeys"]) => Promise<RequestOptions>;
  /**
   * The passkey that a browser has made. Consumes its challenge.
   * @throws TelexError `not_supported`; `invalid_request` with `passkey_refused`, `passkey_expired`
   */
  readonly create: (purpose: string, created: CreatedPasskey, name: string) => Promise<Passkey>;
  /**
   * The account that a signature opens. Consumes its challenge.
   * @throws TelexError `not_supported`; `invalid_request` with `passkey_refused`, `passkey_expired`, `passkey_unknown`
   */
  readonly use: (purpose: string, used: UsedPasskey, request: CallRequest) => Promise<Used>;
}

const refused = (): TelexError => new TelexError("invalid_request", { reason: "passkey_refused" });

/** The challenge that a response answers. Throws if it cannot be for this purpose. */
async function challengeOf(challenges: Challenges, purpose: string, response: CreatedPasskey | UsedPasskey) {
  const data = readClientData(response);
  if (data === null || data.isCrossOrigin) throw refused();
  await challenges.assertOpen(purpose, data.challenge);
  return data.challenge;
}

/** Creates the ceremonies of an instance. The cheap checks come before signatures and writes, because strangers can make requests. */
export const createCeremonies = ({ telex, storage, baseUrl, challenges }: CeremoniesDeps): Ceremonies => ({
  async creation(purpose, person) {
    const party = assertRelyingParty(baseUrl());
    return creationOptionsOf(party, await challenges.make(purpose), person);
  },
  async request(purpose, passkeys) {
    const party = assertRelyingParty(baseUrl());
    return requestOptionsOf(party, await challenges.make(purpose), passkeys);
  },
  async create(purpose, created, name) {
    const party = assertRelyingParty(baseUrl());
    const challenge = await challengeOf(challenges, purpose, created);
    const verified = await verifyCreated(party, challenge, created);
    if (verified === null) throw refused();
    await challenges.consume(challenge);
    const { transports } = created.response;
    return { ...verified, name, transports, createdAt: telex.clock.now(), lastUsedAt: null };
  },
  async use(purpose, used, request) {
    const party = assertRelyingParty(baseUrl());
    const challenge = await challengeOf(challenges, purpose, used);
    const account = await storage.accounts.findAccount({ credentialId: used.id });
    const passkey = account?.passkeys.find(({ credentialId }) => credentialId === used.id);
    if (account === null || passkey === undefined)
      throw new TelexError("invalid_request", { reason: "passkey_unknown" });
    const verified = await verifyUsed(party, challenge, used, passkey);
    if (verified === null) {
      noteRefused(telex, account.userId, request);
      throw refused();
    }
    await challenges.consume(challenge);
    return { account, credentialId: used.id, counter: verified.counter };
  },
});
