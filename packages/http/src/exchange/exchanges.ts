import type { Exchange, IncomingBody } from "./exchange.ts";
import { NodeBody, WebBody } from "./source.ts";
import { abortedUnlessWritten, type NodeSide, onEnded } from "./node.ts";

/** The method, path and query of a request. */
export type Target = Pick<Exchange, "method" | "path" | "search" | "params">;

/** Returns the value of a header by its name in lower case. */
type Headers = Pick<globalThis.Headers, "get">;

/** The part of an exchange that is the same for all hosts. It is a class for the same reason as `Call`. */
abstract class TargetedExchange {
  readonly method: string;
  readonly path: string;
  readonly search: string;
  readonly params: Readonly<Record<string, string>>;
  readonly #headers: Headers;

  constructor({ method, path, search, params }: Target, headers: Headers) {
    this.method = method;
    this.path = path;
    this.search = search;
    this.params = params;
    this.#headers = headers;
  }

  header(name: string): string | null {
    return this.#headers.get(name);
  }
}

/** An exchange of a Node server. */
export class NodeExchange extends TargetedExchange implements Exchange {
  readonly body: NodeBody;
  readonly node: NodeSide;
  #signal: AbortSignal | null = null;

  constructor(node: NodeSide, target: Target, headers: Headers) {
    super(target, headers);
    this.node = node;
    this.body = new NodeBody(node.req);
  }

  get address(): string | null {
    return this.node.req.socket.remoteAddress ?? null;
  }

  get signal(): AbortSignal {
    return (this.#signal ??= abortedUnlessWritten(this.node));
  }

  onWritten(listener: (written: boolean) => void): void {
    onEnded(this.node, listener);
  }
}

/** An exchange of a host that gives a `Request` and takes a `Response`: whether that was written shows only when its body is read. */
export class WebExchange extends TargetedExchange implements Exchange {
  readonly address = null;
  readonly body: IncomingBody;
  readonly listeners: ((written: boolean) => void)[] = [];
  readonly #request: Request;

  constructor(request: Request, target: Target) {
    super(target, request.headers);
    this.#request = request;
    this.body = new WebBody(request);
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }

  onWritten(listener: (written: boolean) => void): void {
    this.listeners.push(listener);
  }
}
