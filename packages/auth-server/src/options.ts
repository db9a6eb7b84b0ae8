import type { Telex } from "@telex/core";
import type { OAuthOptions } from "./oauth/oauth-options.ts";
import type { ProviderOptions } from "./providers/options.ts";
import type {
  AccountStore,
  GrantStore,
  GroupStore,
  KeyStore,
  MessageStore,
  TeleprinterStore,
  UserStore,
} from "@telex/core/storage";

/** The rules of an installation. */
export interface AuthRules {
  /** Who may open an account: only the operator for others, people with an invitation, or anyone. Default `invited`. */
  readonly registration: "closed" | "invited" | "open";
  /** Who may invite people: admins, or also members into the rooms that they run. Default `admins`. */
  readonly invitations: "admins" | "members";
  /** Who may make rooms. All users may start private chats. Default `everybody`. */
  readonly roomCreation: "everybody" | "admins";
  /** Milliseconds for which people may edit their messages. Default 24 hours. */
  readonly editLife: number;
  /** Whom people find: all users with an account, or only people with whom they share a room. Default `everybody`. */
  readonly directory: "everybody" | "shared";
  /** Milliseconds without use after which a session ends, unless its person stays signed in. Default 12 hours. */
  readonly sessionLife: number;
}

/** The options of {@link createAuth}. */
export interface AuthOptions extends Partial<AuthRules>, OAuthOptions {
  /** The storage of the instance. */
  readonly storage: {
    readonly accounts: AccountStore;
    readonly grants: GrantStore;
    readonly keys: KeyStore;
    readonly users: Pick<UserStore, "findUser" | "findUsers" | "listUsers" | "listModels">;
    readonly groups: Pick<GroupStore, "findGroup" | "listGroupsOf" | "findRoom" | "appendRoom" | "amendRoom">;
    readonly messages: Pick<MessageStore, "findMessage" | "findReaders" | "findReadings">;
    readonly teleprinter: Pick<TeleprinterStore, "listPrinters" | "findDevice" | "listDevices">;
  };
  /**
   * The address at which browsers reach the server, such as `https://telex.example`. Links begin with it. A function if it is known
   * only when the server listens.
   */
  readonly baseUrl: string | (() => string);
  /** Providers of OpenID Connect with whose accounts people sign in. Default: none. */
  readonly providers?: readonly ProviderOptions[];
  /** Keep sessions although `baseUrl` is neither HTTPS nor on this machine. Default false: signing in is off there. */
  readonly insecureCookies?: boolean;
  /** `host:port` of push services inside the network, also without TLS. Default: none, only public addresses with TLS. */
  readonly pushAllow?: readonly string[];
  /** A `mailto:` or `https:` address at which a push service reaches the operator. Default: `baseUrl`. */
  readonly pushContact?: string;
}

export interface AuthDeps {
  readonly telex: Telex;
  readonly storage: AuthOptions["storage"];
  readonly rules: AuthRules;
  /** The issuers of the providers in the settings, as `addressOf` compares them. */
  readonly issuers: ReadonlySet<string>;
  /** Without a slash at its end. */
  readonly baseUrl: () => string;
}
