/** Options of the authorization server. */
export interface OAuthOptions {
  /** Seconds after its use in which a refresh token works again if its successor was not used. Default 10; 0: never. */
  readonly refreshGraceSeconds?: number;
  /** True if `telex login` can sign in with a browser. Default true. */
  readonly commandLine?: boolean;
  /** Seals the signing keys in the storage. All servers need the same. Default: they are stored as they are. */
  readonly secretKey?: string;
}
