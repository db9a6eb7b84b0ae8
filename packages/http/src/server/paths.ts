import type { Exchange } from "../exchange/exchange.ts";
import type { HttpResponse } from "../response/http-response.ts";

/** Answers an exchange. */
export type Handle = (exchange: Exchange) => HttpResponse | Promise<HttpResponse>;

/** The handlers of one path by method, and the one for all other methods. */
export interface PathHandlers {
  readonly byMethod: ReadonlyMap<string, Handle>;
  readonly other: Handle;
}

/** The handler of a request, and the fields of its path. */
interface Match {
  readonly handle: Handle;
  readonly params: Readonly<Record<string, string>>;
}

/** A match, with the path and query of the request. */
export interface PlainMatch extends Match {
  readonly path: string;
  readonly search: string;
}

/** Finds handlers by path. */
export interface Paths {
  /** @param path a segment that begins with a colon is a field: it matches any text without a slash */
  readonly add: (path: string, handlers: PathHandlers) => void;
  /** The handler of a method and a path; null for an unknown path. An exact path precedes one with fields. */
  readonly find: (method: string, path: string) => Match | null;
  /**
   * As `find`, for the target of a request as it was sent: `/path?query`. Null as well for a target that a URL parser would change,
   * such as one with `..` or `%`.
   */
  readonly findPlain: (method: string, target: string) => PlainMatch | null;
}

/** Paths without encoded characters and without the segments `.` and `..`. */
const plainPath = /^(?:\/[\w~-][\w.~-]*)+$/;

/** Visible ASCII without `"`, `#`, `'`, `<` and `>`: a query that a URL parser leaves as it is. */
const plainQuery = /^[!$-&(-;=?-~]*$/;

/** Matches a path with fields; each field is a named group. A point is the only special character of paths. */
const expressionOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll(".", "\\.").replace(/:(\w+)/g, "(?<$1>[^/]+)")}$`);

const matchOf = ({ byMethod, other }: PathHandlers, method: string, params: Match["params"]): Match => ({
  handle: byMethod.get(method) ?? other,
  params,
});

/** An empty set of paths. */
export function createPaths(): Paths {
  const exact = new Map<string, PathHandlers>();
  const noParams: Match["params"] = {};
  const withFields: { readonly head: string; readonly expression: RegExp; readonly handlers: PathHandlers }[] = [];
  const find: Paths["find"] = (method, path) => {
    const handlers = exact.get(path);
    if (handlers !== undefined) return matchOf(handlers, method, noParams);
    for (const row of withFields) {
      const params = path.startsWith(row.head) ? row.expression.exec(path)?.groups : undefined;
      if (params !== undefined) return matchOf(row.handlers, method, params);
    }
    return null;
  };
  return {
    find,
    add(path, handlers) {
      const field = path.indexOf("/:");
      if (field < 0) exact.set(path, handlers);
      else withFields.push({ head: path.slice(0, field + 1), expression: expressionOf(path), handlers });
    },
    findPlain(method, target) {
      const end = target.indexOf("?");
      const path = end < 0 ? target : target.slice(0, end);
      const match = find(method, path);
      if (match === null) return null;
      const search = end < 0 ? "" : target.slice(end);
      // An exact path is plain.
      const isPlain = plainQuery.test(search) && (match.params === noParams || plainPath.test(path));
      return isPlain ? { handle: match.handle, params: match.params, path, search } : null;
    },
  };
}
