/** A provider of OpenID Connect: people sign in with the accounts that they have there. */
export interface ProviderOptions {
  /** 1 to 32 small letters, digits and `-`. The provider must know `<baseUrl>/user/providers/<id>` as the address to which it may redirect. */
  readonly id: string;
  /** Its address, such as `https://id.example`. It begins with `https:`, or names a host of `allow`. */
  readonly issuer: string;
  readonly clientId: string;
  /** Default: none, for a public client. A function is called when the metadata of the provider is read, at most once in an hour. */
  readonly clientSecret?: string | (() => string | Promise<string>);
  /** Its name as people know it. */
  readonly name: string;
  /** Default `openid`, `profile` and `email`. */
  readonly scopes?: readonly string[];
  /** The claim from which the username of a new account is made. Default `preferred_username`. */
  readonly usernameClaim?: string;
  /** The claim that becomes the nickname of a new account. Default `name`. */
  readonly nicknameClaim?: string;
  /** The claim that lists the groups of a person. Default `groups`. */
  readonly groupsClaim?: string;
  /** Domains of verified e-mail addresses that may sign in. Default: all, and people without an address. */
  readonly domains?: readonly string[];
  /** Groups, one of which a person needs to sign in. Default: none is needed. */
  readonly groups?: readonly string[];
  /**
   * Each sign-in with this provider gives the role `admin` to members of this group, and takes it from others. The last active admin keeps it.
   * Default: the provider changes no role.
   */
  readonly adminGroup?: string;
  /** `host:port` of hosts of the provider that may have addresses inside the network. Default: none. */
  readonly allow?: readonly string[];
  /** Maximum milliseconds for each request to it. Default 5 seconds. */
  readonly timeout?: number;
}

/** Providers of an installation. */
const most = 10;

/**
 * Checks the options of all providers.
 * @throws TypeError
 */
export function assertProviders(providers: readonly ProviderOptions[]): void {
  const ids = new Set(providers.map(({ id }) => id));
  const issuers = new Set(providers.map(({ issuer }) => issuer));
  if (ids.size < providers.length || issuers.size < providers.length)
    throw new TypeError("Each provider needs an id and an issuer of its own.");
  if (providers.length > most) throw new TypeError(`There can be at most ${most} providers.`);
  for (const { id, issuer } of providers) {
    if (!/^[a-z\d-]{1,32}$/.test(id))
      throw new TypeError(`The id of a provider must be 1 to 32 small letters, digits or -; not "${id}".`);
    if (!/^https?:$/.test(URL.parse(issuer)?.protocol ?? ""))
      throw new TypeError(`The issuer of a provider must be an address such as https://id.example; not "${issuer}".`);
  }
}
