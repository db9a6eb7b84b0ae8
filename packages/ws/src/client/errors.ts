/** Why a call or a connection failed. The message never contains the token. */
export class SocketError extends Error {
  override readonly name = "SocketError";
  /**
   * `refused`: the service answered that the command failed. `ended`: the connection ended before the result came. `busy`: too
   * many calls wait for their result already.
   */
  readonly kind: "refused" | "ended" | "busy";
  /** The code of the frame (`refused`), the close code (`ended`), or 0 (`busy`). */
  readonly code: number;
  /**
   * Whether the command was sent. If it was and the connection has `ended`, the service may have run it or not: repeat it with
   * the same `nonce`. If it was not, the service knows nothing of it.
   */
  readonly isSent: boolean;

  constructor(kind: SocketError["kind"], code: number, message: string, isSent = kind === "refused") {
    super(message);
    this.kind = kind;
    this.code = code;
    this.isSent = isSent;
  }
}

/** The same end, for a call. */
export const endOf = ({ code, message }: SocketError, isSent: boolean): SocketError =>
  new SocketError("ended", code, message, isSent);

/** The end of a connection that this side has ended. */
export function givenUp(message: string, cause?: unknown): SocketError {
  const error = new SocketError("ended", 1006, message);
  if (cause !== undefined) error.cause = cause;
  return error;
}

/** The refusal of a call while as many as allowed wait. */
export const busy = (most: number): SocketError =>
  new SocketError("busy", 0, `${most} calls wait for their result already.`);
