/**
 * Stands in for `eventsource-parser`, which the typed HTTP client uses for replies as server-sent events. The pages take replies
 * over a socket, and need not load it.
 * @throws TypeError always
 */
export function createParser(): never {
  throw new TypeError("The pages read replies over a socket: ai.chat of the HTTP client is not available.");
}
