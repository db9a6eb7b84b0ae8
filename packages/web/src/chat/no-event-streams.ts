/**
 * Replaces `eventsource-parser`, which the typed HTTP client uses for replies as server-sent events. The pages receive replies over a
 * socket and do not need it.
 * @throws TypeError always
 */
export function createParser(): never {
  throw new TypeError("The pages read replies over a socket: ai.chat of the HTTP client is not available.");
}
