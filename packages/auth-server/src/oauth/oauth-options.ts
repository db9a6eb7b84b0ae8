/** Options of the documents in which applications describe themselves. */
export interface ClientDocumentOptions {
  /** `host:port` of hosts that may have addresses inside the network, and whose documents may be read over HTTP. Default: none. */
  readonly allow?: readonly string[];
  /** Maximum milliseconds for a document. Default 3 seconds. */
  readonly timeout?: number;
}

/** Options of the authorization server. */
export interface OAuthOptions {
  /** Seconds after its use in which a refresh token works again if its successor was not used. Default 10; 0: never. */
  readonly refreshGraceSeconds?: number;
  /** True if `telex login` can sign in with a browser. Default true. */
  readonly commandLine?: boolean;
  /** Encrypts the signing keys in the storage. All servers need the same one. Default: the keys are stored unencrypted. */
  readonly secretKey?: string;
  /**
   * An unregistered application may describe itself in a document, and uses the address of the document as its id (OAuth Client ID Metadata
   * Document). False: only registered ones. Default `{}`.
   */
  readonly clientDocuments?: ClientDocumentOptions | false;
}
