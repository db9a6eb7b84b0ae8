import type { Telex } from "@telex/core";
import { viewPasskey } from "../accounts/views.ts";
import type { AccountContract } from "../contract/account.ts";
import type { Runs } from "../contract/routes-of.ts";
import { browserName } from "../sessions/browser.ts";
import type { RouteParts } from "./parts.ts";
import { requestOf } from "./request.ts";

type PasskeyRuns<K extends keyof AccountContract> = Pick<Runs<AccountContract>, K>;

/** Options for browsers of people who are not signed in. */
const createOptionRuns = ({
  services: { open, recovery, passkeys },
}: RouteParts): PasskeyRuns<"signInOptions" | "openOptions" | "recoverOptions"> => ({
  signInOptions: async () => await passkeys.signInOptions(),
  openOptions: async (_caller, { username, secret = null }) => await open.passkeyOptions(secret, username),
  recoverOptions: async (_caller, { secret }) => await recovery.passkeyOptions(secret),
});

const noteChange = ({ security }: Pick<Telex, "security">, userId: number): void =>
  security.note("account.changed", { userId });

/** The operations on the passkeys of one's own account. Those that change them ask for a sign-in within 10 minutes. */
const createOwnPasskeyRuns = ({
  services: { sessions, own, passkeys },
  telex,
}: RouteParts): PasskeyRuns<
  "confirmOptions" | "passkeys" | "passkeyOptions" | "addPasskey" | "renamePasskey" | "removePasskey"
> => ({
  confirmOptions: async (caller) => await passkeys.confirmOptions(sessions.of(caller)),
  passkeys(caller) {
    const all = sessions.of(caller).account.passkeys.toSorted((a, b) => a.createdAt - b.createdAt);
    return Promise.resolve({ list: all.map(viewPasskey), available: passkeys.isAvailable() });
  },
  async passkeyOptions(caller, _input, context) {
    const current = sessions.of(caller);
    await own.assertConfirmed(current, undefined, requestOf(context));
    return await passkeys.addOptions(current);
  },
  async addPasskey(caller, { passkey, name }, context) {
    const current = sessions.of(caller);
    const request = requestOf(context);
    await own.assertConfirmed(current, undefined, request);
    const added = await passkeys.add(current, passkey, name ?? browserName(request.header("user-agent")));
    noteChange(telex, current.account.userId);
    return viewPasskey(added);
  },
  async renamePasskey(caller, { id, name }, context) {
    const current = sessions.of(caller);
    await own.assertConfirmed(current, undefined, requestOf(context));
    const renamed = await passkeys.rename(current, id, name);
    noteChange(telex, current.account.userId);
    return viewPasskey(renamed);
  },
  async removePasskey(caller, { id }, context) {
    const current = sessions.of(caller);
    await own.assertConfirmed(current, undefined, requestOf(context));
    await passkeys.remove(current, id);
    noteChange(telex, current.account.userId);
    return null;
  },
});

/** The operations on passkeys. */
export const createPasskeyRuns = (
  parts: RouteParts,
): ReturnType<typeof createOptionRuns> & ReturnType<typeof createOwnPasskeyRuns> => ({
  ...createOptionRuns(parts),
  ...createOwnPasskeyRuns(parts),
});
