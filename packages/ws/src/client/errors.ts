/** Why a call or a connection failed. The message never contains the token. */
export class SocketError extends Error {
  override readonly name = "SocketError";
  /**
   * `refused`: the service answered that the command failed. `ended`: the connection ended before the result arrived. `busy`: too
   * many calls are waiting for their results.
   */
  readonly kind: "refused" | "ended" | "busy";
  /** The code of the frame (`refused`), the close code (`ended`), or 0 (`busy`). */
  readonly code: number;
  /**
   * True if the command was sent. If the connection `ended` after that, the service may have run the command: repeat it with the
   * same `nonce`. If false, the service has not seen the command.
   */
  readonly isSent: boolean;

  constructor(kind: SocketError["kind"], code: number, message: string, isSent = kind === "refused") {
    super(message);
    this.kind = kind;
    this.code = code;
    this.isSent = isSent;
  }
}

/** The end of a connection, as the error of a call. */
export const endOf = ({ code, message }: SocketError, isSent: boolean): SocketError =>
  new SocketError("ended", code, message, isSent);

/** The error of a connection that the client ended itself. */
export function givenUp(message: string, cause?: unknown): SocketError {
  const error = new SocketError("ended", 1006, message);
  if (cause !== undefined) error.cause = cause;
  return error;
}

/** The error of a call above the limit of waiting calls. */
export const busy = (most: number): SocketError =>
  new SocketError("busy", 0, `${most} calls wait for their result already.`);
