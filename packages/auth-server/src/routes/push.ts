import { TelexError } from "@telex/core";
import type { PushContract } from "../contract/push.ts";
import type { Runs } from "../contract/routes-of.ts";
import type { AuthDeps } from "../options.ts";
import { areKeys } from "../push/encrypt.ts";
import type { Push } from "../push/push.ts";
import { isSafePlace } from "../requests/places.ts";
import type { Sessions } from "../sessions/sessions.ts";

const invalid = (path: string): TelexError =>
  new TelexError("invalid_request", { issues: [{ path, problem: "invalid", params: {} }] });

/** Messages go to the endpoint over TLS, unless the operator allows its host. */
function assertEndpoint(endpoint: string, allow: readonly string[]): void {
  const url = URL.parse(endpoint);
  if (url === null || url.username !== "" || url.password !== "") throw invalid("endpoint");
  const isAllowed = allow.includes(url.port === "" ? `${url.hostname}:80` : url.host);
  if (url.protocol !== "https:" && !isAllowed) throw invalid("endpoint");
}

/** The operations on notifications. */
export function createPushRuns(
  { baseUrl }: Pick<AuthDeps, "baseUrl">,
  push: Push,
  sessions: Sessions,
): Runs<PushContract> {
  const assertSupported = (): void => {
    if (!isSafePlace(baseUrl())) throw new TelexError("not_supported");
  };
  return {
    async key() {
      assertSupported();
      return { publicKey: await push.vapid.publicKey() };
    },
    async subscribe(caller, { endpoint, keys, text, devices: { texts, offline } }) {
      const { session } = sessions.of(caller);
      assertSupported();
      assertEndpoint(endpoint, push.allow);
      if (!areKeys(keys)) throw invalid("keys");
      const { p256dh, auth } = keys;
      return { id: await push.subscriptions.add(session, { endpoint, p256dh, auth, text, texts, offline }) };
    },
    async unsubscribe(caller, { id }) {
      const { userId } = sessions.of(caller).account;
      if (!(await push.subscriptions.end(userId, id))) throw new TelexError("not_found");
      return null;
    },
  };
}
