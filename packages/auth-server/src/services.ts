import { createOpenAccount } from "./accounts/open-account.ts";
import { createMembers } from "./accounts/members.ts";
import { createNewWays } from "./accounts/new-way.ts";
import { createOwnAccount } from "./accounts/own-account.ts";
import { createPasskeys, type Passkeys } from "./accounts/passkeys.ts";
import { createRecovery } from "./accounts/recovery.ts";
import { createSignIn } from "./accounts/sign-in.ts";
import { createPasswordHasher } from "./credentials/hashing.ts";
import { createDirectLinks } from "./links/direct.ts";
import { createInvitations, type Invitations } from "./links/invitations.ts";
import { createHooks, type Hooks } from "./hooks/hooks.ts";
import { createRoomLinks, type RoomLinks } from "./links/room-links.ts";
import { createSetup } from "./links/setup.ts";
import type { AuthDeps } from "./options.ts";
import type { Seal } from "./oauth/seal.ts";
import { createCeremonies } from "./passkeys/ceremonies.ts";
import { createChallenges } from "./passkeys/challenges.ts";
import type { SessionCookie } from "./requests/cookies.ts";
import { createSeen, type Seen } from "./sessions/seen.ts";
import { createSessions, type Sessions } from "./sessions/sessions.ts";
import { createTickets } from "./sessions/tickets.ts";
import { createGuesses } from "./throttle/guesses.ts";

/** Everything that routes, pages and commands call. */
export interface Services {
  readonly sessions: Sessions;
  readonly seen: Seen;
  readonly tickets: ReturnType<typeof createTickets>;
  readonly invitations: Invitations;
  readonly roomLinks: RoomLinks;
  readonly hooks: Hooks;
  readonly direct: ReturnType<typeof createDirectLinks>;
  readonly open: ReturnType<typeof createOpenAccount>;
  readonly signIn: ReturnType<typeof createSignIn>;
  readonly own: ReturnType<typeof createOwnAccount>;
  readonly passkeys: Passkeys;
  readonly recovery: ReturnType<typeof createRecovery>;
  readonly members: ReturnType<typeof createMembers>;
  readonly setup: ReturnType<typeof createSetup>;
}

/** The cookies of a server. */
interface Cookies {
  readonly session: SessionCookie;
  /** Recognizes a browser. It opens no account. */
  readonly browser: SessionCookie;
}

/** Creates the services of an instance. */
export function createServices(deps: AuthDeps, cookies: Cookies, seal: Seal): Services {
  const { telex, storage, rules, issuers, baseUrl } = deps;
  const base = { telex, storage, rules, issuers, baseUrl };
  const hasher = createPasswordHasher();
  const invitations = createInvitations(base);
  const challenges = createChallenges({ keys: storage.keys, grants: storage.grants, clock: telex.clock, seal });
  const ceremonies = createCeremonies({ ...base, challenges });
  const passkeys = createPasskeys({ ...base, ceremonies });
  const newWays = createNewWays({ hasher, ceremonies, baseUrl });
  const seen = createSeen({ clock: telex.clock, cookie: cookies.browser });
  const signIn = createSignIn({ ...base, hasher, seen, guesses: createGuesses(telex) });
  return {
    sessions: createSessions({ ...base, cookie: cookies.session, seen }),
    seen,
    tickets: createTickets(base),
    invitations,
    roomLinks: createRoomLinks(base),
    hooks: createHooks(base),
    direct: createDirectLinks(base),
    open: createOpenAccount({ ...base, newWays, invitations }),
    signIn,
    own: createOwnAccount({ ...base, hasher, signIn, passkeys }),
    passkeys,
    recovery: createRecovery({ ...base, newWays }),
    members: createMembers({ ...base, hasher }),
    setup: createSetup(base),
  };
}
