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

const isNamed = (key: string, name: string): boolean => key.length === name.length && key.toLowerCase() === name;

/** The headers of a Node request. A repeated header has all of its values, so that two tokens are not mistaken for one. */
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
    return firstOnly.has(name) && this.#isRepeated(name) ? this.#valuesOf(name).join(", ") : value;
  }

  #isRepeated(name: string): boolean {
    const { rawHeaders } = this.#req;
    let count = 0;
    for (let at = 0; at < rawHeaders.length; at += 2) {
      if (isNamed(rawHeaders[at] ?? "", name)) count += 1;
    }
    return count > 1;
  }

  #valuesOf(name: string): string[] {
    const { rawHeaders } = this.#req;
    return rawHeaders.filter((_, at) => at % 2 === 1 && isNamed(rawHeaders[at - 1] ?? "", name));
  }
}
