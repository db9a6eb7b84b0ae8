import type { IncomingMessage } from "node:http";

/** If a request has several of these headers, Node takes the first. */
const firstOnly: ReadonlySet<string> = new Set([
  "age",
  "authorization",
  "content-length",
  "content-type",
  "etag",
  "expires",
  "from",
  "host",
  "if-modified-since",
  "if-unmodified-since",
  "last-modified",
  "location",
  "max-forwards",
  "proxy-authorization",
  "referer",
  "retry-after",
  "server",
  "user-agent",
]);

/** The headers of a Node request. One that was sent several times has all of its values, so that two tokens are not taken for one. */
export class NodeHeaders {
  readonly #req: IncomingMessage;

  constructor(req: IncomingMessage) {
    this.#req = req;
  }

  /** @param name in lower case */
  get(name: string): string | null {
    const value = this.#req.headers[name];
    if (value === undefined) return null;
    if (typeof value !== "string") return value.join(", ");
    const values = firstOnly.has(name) ? this.#valuesOf(name) : [];
    return values.length > 1 ? values.join(", ") : value;
  }

  #valuesOf(name: string): string[] {
    const { rawHeaders } = this.#req;
    const values: string[] = [];
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const key = rawHeaders[at] ?? "";
      if (key.length === name.length && key.toLowerCase() === name) values.push(rawHeaders[at + 1] ?? "");
    }
    return values;
  }
}
