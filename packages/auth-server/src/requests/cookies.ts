/** A cookie with a secret, such as that of sessions, and how it is written. */
export interface SessionCookie {
  /** The secret that a request carries; null without one, and for more than one. */
  readonly read: (header: string | null) => string | null;
  /** A `Set-Cookie` header. Without `maxAge` (seconds), the browser forgets the cookie when it closes. */
  readonly write: (secret: string, maxAge: number | null) => string;
  /** A `Set-Cookie` header that removes the cookie. */
  readonly remove: () => string;
}

/** The facts about the address of the server that matter for cookies. */
export interface CookieHost {
  /** True if browsers reach the server over HTTPS. */
  readonly isSecure: boolean;
  /** The port of the server: cookies of one host are shared by all of its ports. */
  readonly port: number;
}

const valuesOf = (header: string, name: string): string[] =>
  header
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));

const nameOf = (name: string, { isSecure, port }: CookieHost): string =>
  isSecure ? `__Host-${name}` : `${name}-${port}`;

const attributesOf = ({ isSecure }: CookieHost): string =>
  `Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;

/**
 * A cookie of a server. `__Host-` keeps other hosts of the domain from setting it; browsers accept it only over HTTPS.
 * @param host is called for each request: the port of a server may be known late
 * @param name default: that of sessions
 */
export const createSessionCookie = (host: () => CookieHost, name = "telex"): SessionCookie => ({
  read(header) {
    const [value, ...others] = header === null ? [] : valuesOf(header, nameOf(name, host()));
    // If there are two cookies with this name, another host set one of them, maybe to sign the person in to another account.
    return value === undefined || value === "" || others.length > 0 ? null : value;
  },
  write(secret, maxAge) {
    const life = maxAge === null ? "" : `; Max-Age=${maxAge}`;
    return `${nameOf(name, host())}=${secret}; ${attributesOf(host())}${life}`;
  },
  remove: () => `${nameOf(name, host())}=; ${attributesOf(host())}; Max-Age=0`,
});
