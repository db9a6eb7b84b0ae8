import type { IncomingMessage, ServerResponse } from "node:http";
import type { CallRequest } from "@telex/core/contract";
import type { Provider } from "oidc-provider";
import type { Sessions } from "../sessions/sessions.ts";
import { networkOf } from "../throttle/network.ts";
import type { ConfigurationDeps } from "./configuration.ts";
import type { SigningKeys } from "./keys.ts";
import { isSession, sessionCookie } from "./session-cookie.ts";
import { createWaiting } from "./waiting.ts";

interface ProviderDeps extends ConfigurationDeps {
  readonly keys: SigningKeys;
  readonly sessions: Pick<Sessions, "find">;
}

/** Milliseconds after which the signing keys are read again. */
const keysInterval = 600_000;

type Header = CallRequest["header"];

const headerOf =
  ({ headers }: IncomingMessage): Header =>
  (name) => {
    const value = headers[name];
    return Array.isArray(value) ? value.join(", ") : (value ?? null);
  };

/** The provider of an instance. */
export interface Providing {
  /** The provider with the current address and keys. */
  readonly provider: () => Promise<Provider>;
  /** Answers a request of a Node server. */
  readonly handle: (req: IncomingMessage, res: ServerResponse, address: () => string | null) => Promise<void>;
}

/**
 * Rewrites the request as one to the address of the server, because the provider writes addresses into its responses. Also replaces the cookie
 * of the provider's session, which no browser has, with a mark for the session of Telex.
 */
function settle(req: IncomingMessage, baseUrl: string, isSignedIn: boolean): void {
  const { host, protocol } = new URL(baseUrl);
  req.headers.host = host;
  req.headers["x-forwarded-host"] = host;
  req.headers["x-forwarded-proto"] = protocol.slice(0, -1);
  const sent = (req.headers.cookie ?? "").split(";").map((pair) => pair.trim());
  const remaining = sent.filter((pair) => pair !== "" && !isSession(pair));
  req.headers.cookie = [...remaining, ...(isSignedIn ? [`${sessionCookie}=telex`] : [])].join("; ");
}

/** Creates the provider when it is first needed, and again when the address or the keys change. */
export function createProviding(deps: ProviderDeps): Providing {
  const { keys, baseUrl, clock, sessions, states } = deps;
  const count = createWaiting(clock);
  let made: { readonly name: string; readonly provider: Provider } | null = null;
  let loaded: { readonly at: number; readonly keys: ReturnType<SigningKeys["load"]> } | null = null;
  const load = async (): ReturnType<SigningKeys["load"]> => {
    if (loaded === null || clock.now() - loaded.at >= keysInterval) loaded = { at: clock.now(), keys: keys.load() };
    const { keys: loading } = loaded;
    return await loading.catch((error: unknown) => {
      loaded = null;
      throw error;
    });
  };
  const provider = async (): Promise<Provider> => {
    const { version, jwks } = await load();
    const name = `${baseUrl()} ${version}`;
    if (made?.name === name) return made.provider;
    // Loaded late: most servers never need the library.
    const { createProvider } = await import("./create-provider.ts");
    made = { name, provider: createProvider(deps, new URL(baseUrl()).origin, jwks) };
    return made.provider;
  };
  return {
    provider,
    async handle(req, res, address) {
      const [current, { callback }] = await Promise.all([sessions.find(headerOf(req)), bound(provider())]);
      settle(req, baseUrl(), current !== null);
      const wait = (): void => count({ current, address: address() });
      const network = networkOf(address());
      await states.run({ current, network, used: null, wait }, async () => await callback(req, res));
    },
  };
}

async function bound(making: Promise<Provider>) {
  const provider = await making;
  return { callback: provider.callback() };
}
