import { type Client, createClient, readError, TelexClientError } from "@telex/http/client";

/** The calls that the pages make. */
export type Server = Pick<
  Client,
  "teleprinter" | "pairing" | "users" | "ai" | "rooms" | "messages" | "bucket" | "operator"
>;

/** The timeout of a call, in milliseconds. */
const timeout = 20_000;

/** The timeout of a call of a model, in milliseconds. The server ends replies after ten minutes. */
const modelTimeout = 610_000;

const timeoutFor = ({ url }: Request): number => (url.endsWith("/missed") ? modelTimeout : timeout);

export interface ServerOptions {
  readonly origin: string;
  /** Null for a person who is signed in by cookie, which scripts cannot read. */
  readonly token: string | null;
  readonly language: string;
  /** Called when the server rejects the token or the cookie. */
  readonly ended?: () => void;
  /** Asks the person to confirm, and resolves with true on success. Then the call is repeated. */
  readonly confirm?: (() => Promise<boolean>) | undefined;
}

const isUnconfirmed = async (response: Response): Promise<boolean> =>
  response.status === 403 && (await readError(response.clone())).code === "not_confirmed";

/** Sends calls to the server of these pages. Responses are not cached, and calls with a token send no cookie. */
export function createSend({ token, ended, confirm }: Pick<ServerOptions, "token" | "ended" | "confirm">) {
  const credentials = token === null ? "same-origin" : "omit";
  const send = async (request: Request): Promise<Response> => {
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutFor(request))]);
    const response = await fetch(request, { cache: "no-store", credentials, signal });
    if (response.status === 401) ended?.();
    return response;
  };
  if (token !== null || confirm === undefined) return send;
  return async (request: Request): Promise<Response> => {
    const again = request.clone();
    const response = await send(request);
    return (await isUnconfirmed(response)) && (await confirm()) ? await send(again) : response;
  };
}

/** The credentials of the typed clients. */
export const tokenOf = ({ token }: Pick<ServerOptions, "token">) => (token === null ? {} : { token });

/** A client for the server of these pages. */
export const connectServer = (options: ServerOptions): Server =>
  createClient({
    url: options.origin,
    ...tokenOf(options),
    language: options.language,
    fetch: createSend(options),
  });

/** True if the server rejected a call with this code. */
export const isCode = (error: unknown, code: TelexClientError["code"]): boolean =>
  error instanceof TelexClientError && error.code === code;
