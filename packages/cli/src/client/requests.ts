/** Sends a request. */
export type Send = (request: Request) => Promise<Response>;

/** Rejects redirects, which would send tokens elsewhere and turn a change into a GET. */
export const send: Send = async (request) => await fetch(request, { redirect: "error" });
