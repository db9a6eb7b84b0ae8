import { readError } from "@telex/http/client";
import { createSend, type ServerOptions, tokenOf } from "./server.ts";

/** True for an object with all of these fields. */
export const hasFields = (value: unknown, ...names: readonly string[]): boolean =>
  typeof value === "object" && value !== null && names.every((name) => name in value);

/** Calls a route of accounts, which the typed client does not know, and checks its `data`. */
export type RouteCall = <T>(
  method: "GET" | "POST" | "PATCH" | "DELETE",
  path: string,
  isData: (data: unknown) => data is T,
  body?: object,
) => Promise<T>;

/** True for the answer of a call that says nothing but that it was done. */
export const isNothing = (data: unknown): data is null => data === null;

const dataOf = (body: unknown): unknown =>
  typeof body === "object" && body !== null && "data" in body ? body.data : undefined;

/** Calls the routes of accounts on the server that these pages came from. */
export function connectCalls(options: ServerOptions): RouteCall {
  const send = createSend(options);
  const { origin, language } = options;
  const { token } = { token: undefined, ...tokenOf(options) };
  const headers = {
    "accept-language": language,
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  return async (method, path, isData, body) => {
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const type = body === undefined ? {} : { "content-type": "application/json" };
    const request = new Request(`${origin}/external/api/v1/${path}`, {
      method,
      headers: { ...headers, ...type },
      ...content,
    });
    const response = await send(request);
    if (!response.ok) throw await readError(response);
    const data = dataOf(await response.json());
    if (!isData(data)) throw new TypeError(`The server answered ${path} with something else.`);
    return data;
  };
}
