import type { Telex } from "@telex/core";
import type { AuthDeps } from "../options.ts";
import type { OAuth } from "../oauth/oauth.ts";
import type { Services } from "../services.ts";
import type { Providers } from "../providers/providers.ts";
import type { Entering } from "./entering.ts";

export interface RouteParts {
  readonly telex: Telex;
  readonly storage: AuthDeps["storage"];
  readonly issuers: AuthDeps["issuers"];
  readonly services: Services;
  readonly entering: Entering;
  readonly oauth: OAuth;
  readonly providers: Providers;
  readonly origins: () => ReadonlySet<string>;
}
