/**
 * The reason why an outgoing request failed. `bad_url`: not http(s), or it contains a name and password. `unknown_host`: no
 * address. `private_address`: an address inside the network. `bad_redirect`: too many, to another host, or less secure.
 */
export type OutgoingFailure =
  | "bad_url"
  | "unknown_host"
  | "private_address"
  | "unreachable"
  | "timeout"
  | "bad_redirect"
  | "bad_status"
  | "too_large"
  | "unreadable";

const texts: Readonly<Record<OutgoingFailure, string>> = {
  bad_url: "An outgoing address must be http or https, without a user name.",
  unknown_host: "The host has no address.",
  private_address: "The host has an address inside the network. Allow it as host:port where that is meant.",
  unreachable: "The host does not answer.",
  timeout: "The host does not answer in time.",
  bad_redirect: "The host redirects too often, to another host, or from https to http.",
  bad_status: "The host did not answer with status 200.",
  too_large: "The answer is too large.",
  unreadable: "The answer is encoded in an unknown way, or ended early.",
};

/** An outgoing request that failed. Its message names neither address nor path, because these may contain secrets. */
export class OutgoingError extends Error {
  override readonly name = "OutgoingError";
  readonly failure: OutgoingFailure;

  constructor(failure: OutgoingFailure, cause?: unknown) {
    super(texts[failure], cause === undefined ? undefined : { cause });
    this.failure = failure;
  }
}

/** The error itself if it already says why a request failed. */
export const outgoingErrorOf = (error: unknown, failure: OutgoingFailure): OutgoingError =>
  error instanceof OutgoingError ? error : new OutgoingError(failure, error);
