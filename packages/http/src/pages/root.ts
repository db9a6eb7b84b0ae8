import { envelope, envelopeHeaders, type HttpResponse } from "../response/http-response.ts";

/** Redirects a browser. */
export const redirect = (location: string, headers: Readonly<Record<string, string>> = {}): HttpResponse => ({
  status: 302,
  headers: { ...headers, location, "cache-control": "no-store", "referrer-policy": "no-referrer" },
  body: null,
});

/** True for a browser: programs name other types, or none. */
const wantsHtml = (accept: string | null): boolean =>
  /(?:^|,)\s*text\/html\s*(?:;(?!\s*q=0(?:\.0*)?\s*(?:,|$))|,|$)/i.test(accept ?? "");

/**
 * Answers the root of the server. It redirects people to the pages, or to the reference if the server has no pages; programs get the addresses
 * of its descriptions. It does not pass the query on, because the query may contain a token.
 * @param accept the header `Accept`
 * @param hasPages true if the server has the pages below `/user/`
 */
export function answerRoot(accept: string | null, basePath: string, hasPages: boolean): HttpResponse {
  const vary = { vary: "accept" };
  if (wantsHtml(accept)) return redirect(hasPages ? "/user/" : `${basePath}/reference`, vary);
  const body = { name: "Telex", openapi: `${basePath}/openapi.json`, reference: `${basePath}/reference` };
  return {
    status: 200,
    headers: { ...envelopeHeaders, ...vary },
    body: envelope(hasPages ? { ...body, pages: "/user/" } : body),
  };
}
