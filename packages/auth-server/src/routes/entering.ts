import type { Telex } from "@telex/core";
import type { CallRequest } from "@telex/core/contract";
import type { Account } from "@telex/core/storage";
import type { Services } from "../services.ts";
import { assertNotForeign } from "./request.ts";

type SetupInput = Parameters<Services["open"]["setup"]>[0];
type RegisterInput = Parameters<Services["open"]["register"]>[0];

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
  readonly recover: (
    input: { readonly secret: string; readonly password: string },
    request: CallRequest,
  ) => Promise<Account>;
  readonly signIn: (credentials: Credentials, request: CallRequest) => Promise<Account>;
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

/** The ways in of routes and forms. */
export function createEntering({ services, telex, origins }: EnteringDeps): Entering {
  const { sessions, open, recovery, signIn, direct } = services;
  const enter = async (account: Account, stay: boolean, request: CallRequest): Promise<Account> => {
    await sessions.begin(account, stay, request);
    telex.security.note("account.entered", { userId: account.userId, address: request.address() });
    return account;
  };
  const opening =
    <I>(make: (input: I) => Promise<Account>) =>
    async (input: I, request: CallRequest): Promise<Account> => {
      assertNotForeign(request, origins);
      const account = await make(input);
      telex.security.note("account.opened", { userId: account.userId, address: request.address() });
      return await enter(account, false, request);
    };
  return {
    setup: opening((input: SetupInput) => open.setup(input)),
    join: opening((input: SetupInput) => open.join(input)),
    register: opening((input: RegisterInput) => open.register(input)),
    async recover({ secret, password }, request) {
      assertNotForeign(request, origins);
      const account = await recovery.recover(secret, password);
      telex.security.note("account.recovered", { userId: account.userId, address: request.address() });
      return await enter(account, false, request);
    },
    async signIn({ stay, ...credentials }, request) {
      assertNotForeign(request, origins);
      return await enter(await signIn.signIn(credentials, request), stay, request);
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
