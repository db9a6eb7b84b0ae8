import type { Telex } from "@telex/core";
import type { NodeMount } from "@telex/http";
import type { AuthDeps } from "../options.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { createApplications, type Applications } from "./clients/applications.ts";
import { createClientDocuments } from "./clients/documents.ts";
import { createClients, type Clients } from "./clients/clients.ts";
import type { ConfigurationDeps } from "./configuration.ts";
import { createDevices, type Devices } from "./devices.ts";
import { createInteractions, type Interactions } from "./interactions.ts";
import { createSigningKeys } from "./keys.ts";
import type { OAuthOptions } from "./oauth-options.ts";
import { createProviding } from "./provider.ts";
import { createRequestStates } from "./request-state.ts";
import { createSeal } from "./seal.ts";

/** The authorization server: OAuth 2 and OpenID Connect for other applications. */
export interface OAuth {
  readonly clients: Clients;
  readonly interactions: Interactions;
  readonly devices: Devices;
  readonly applications: Applications;
  readonly mounts: readonly NodeMount[];
}

interface OAuthDeps extends AuthDeps, Pick<ConfigurationDeps, "errorPage"> {
  readonly telex: Telex;
  readonly sessions: Sessions;
}

const wellKnown = ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"];
const paths = ["/oauth2/**", ...wellKnown];

/** Creates the authorization server. Its library is loaded with this module. */
export function createOAuth({ telex, storage, baseUrl, sessions, errorPage }: OAuthDeps, options: OAuthOptions): OAuth {
  const { refreshGraceSeconds: refreshGrace = 10, commandLine: hasCommandLine = true, secretKey } = options;
  const { clientDocuments = {} } = options;
  const { grants, keys: keyStore } = storage;
  const { clock } = telex;
  const keys = createSigningKeys(keyStore, clock, createSeal(secretKey));
  const states = createRequestStates();
  const network = (): string => states.getStore()?.network ?? "pages";
  const documents = clientDocuments === false ? null : createClientDocuments({ clock, network }, clientDocuments);
  const clients = createClients({ grants, clock, hasCommandLine, documents });
  const providing = createProviding({
    telex,
    storage,
    baseUrl,
    sessions,
    errorPage,
    keys,
    grants,
    clients,
    clock,
    states,
    refreshGrace,
  });
  const common = { telex, grants, clients, providing };
  return {
    clients,
    interactions: createInteractions(common),
    devices: createDevices(common),
    applications: createApplications(common),
    mounts: paths.map((path) => ({ path, handle: providing.handle })),
  };
}
