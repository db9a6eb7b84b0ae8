import type { Telex } from "@telex/core";
import type { CallRequest } from "@telex/core/contract";
import type { Account } from "@telex/core/storage";
import type { UsedPasskey } from "../passkeys/responses.ts";
import type { Services } from "../services.ts";
import { browserName } from "../sessions/browser.ts";
import { assertNotForeign } from "./request.ts";

/** The input of a person who signs in, without the fields that the server adds. */
type Given<I> = Omit<I, "passkeyName">;

type SetupInput = Given<Parameters<Services["open"]["setup"]>[0]>;
type RegisterInput = Given<Parameters<Services["open"]["register"]>[0]>;
type RecoverInput = Given<Parameters<Services["recovery"]["recover"]>[0]>;

/** A person who signs in with a password. */
interface Credentials {
  readonly username: string;
  readonly password: string;
  /** True: for 30 days without use. */
  readonly stay: boolean;
}

/**
 * The ways in: each refuses a request that a page of another site made, begins a session, and returns the account. Errors: `cross_origin`,
 * and those of the service behind it.
 */
export interface Entering {
  readonly setup: (input: SetupInput, request: CallRequest) => Promise<Account>;
  readonly join: (input: SetupInput, request: CallRequest) => Promise<Account>;
  readonly register: (input: RegisterInput, request: CallRequest) => Promise<Account>;
  readonly recover: (input: RecoverInput, request: CallRequest) => Promise<Account>;
  readonly signIn: (credentials: Credentials, request: CallRequest) => Promise<Account>;
  readonly signInWithPasskey: (
    input: { readonly passkey: UsedPasskey; readonly stay: boolean },
    request: CallRequest,
  ) => Promise<Account>;
  /** Signs in with a direct link. */
  readonly enter: (input: { readonly secret: string }, request: CallRequest) => Promise<Account>;
  readonly signOut: (request: CallRequest) => Promise<void>;
  /** Begins a session for a person whom another provider has signed in. The browser comes from there. */
  readonly admit: (account: Account, stay: boolean, request: CallRequest) => Promise<Account>;
}

interface EnteringDeps {
  readonly services: Services;
  readonly telex: Pick<Telex, "security">;
  readonly origins: () => ReadonlySet<string>;
}

interface Named {
  readonly passkeyName: string;
}

/** The name of a new passkey: its owner recognizes the browser. */
const named = (request: CallRequest): Named => ({ passkeyName: browserName(request.header("user-agent")) });

/** The ways in of routes and forms. */
export function createEntering({ services, telex, origins }: EnteringDeps): Entering {
  const { sessions, open, recovery, signIn, passkeys, direct } = services;
  const enter = async (account: Account, stay: boolean, request: CallRequest): Promise<Account> => {
    await sessions.begin(account, stay, request);
    telex.security.note("account.entered", { userId: account.userId, address: request.address() });
    return account;
  };
  const opening =
    <I>(make: (input: I & Named) => Promise<Account>) =>
    async (input: I, request: CallRequest): Promise<Account> => {
      assertNotForeign(request, origins);
      const account = await make({ ...input, ...named(request) });
      telex.security.note("account.opened", { userId: account.userId, address: request.address() });
      return await enter(account, false, request);
    };
  return {
    setup: opening((input: SetupInput & Named) => open.setup(input)),
    join: opening((input: SetupInput & Named) => open.join(input)),
    register: opening((input: RegisterInput & Named) => open.register(input)),
    async recover(input, request) {
      assertNotForeign(request, origins);
      const account = await recovery.recover({ ...input, ...named(request) });
      telex.security.note("account.recovered", { userId: account.userId, address: request.address() });
      return await enter(account, false, request);
    },
    async signIn({ stay, ...credentials }, request) {
      assertNotForeign(request, origins);
      return await enter(await signIn.signIn(credentials, request), stay, request);
    },
    async signInWithPasskey({ passkey, stay }, request) {
      assertNotForeign(request, origins);
      return await enter(await passkeys.signIn(passkey, request), stay, request);
    },
    async enter({ secret }, request) {
      assertNotForeign(request, origins);
      return await enter(await direct.use(secret), false, request);
    },
    admit: enter,
    async signOut(request) {
      assertNotForeign(request, origins);
      await sessions.end(request);
    },
  };
}
