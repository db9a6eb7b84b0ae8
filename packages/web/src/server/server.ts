import { type Client, createClient } from "@telex/http/client";

/** The calls that the pages make. */
export type Server = Pick<
  Client,
  "teleprinter" | "pairing" | "users" | "ai" | "rooms" | "messages" | "bucket" | "operator"
>;

/** Milliseconds after which an answer is given up. */
const patience = 20_000;

export interface ServerOptions {
  readonly origin: string;
  readonly token: string;
  readonly language: string;
  /** Called if the server refuses the token. */
  readonly ended?: () => void;
}

/** The server that these pages came from. No cookie goes with a call, and no cache keeps an answer. */
export const connectServer = ({ origin, token, language, ended }: ServerOptions): Server =>
  createClient({
    url: origin,
    token,
    language,
    async fetch(request) {
      const signal = AbortSignal.timeout(patience);
      const response = await fetch(request, { cache: "no-store", credentials: "omit", signal });
      if (response.status === 401) ended?.();
      return response;
    },
  });
