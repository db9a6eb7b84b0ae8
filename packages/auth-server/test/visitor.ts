/** A page, as a visitor sees it. */
export interface Seen {
  readonly url: string;
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

/** How a visitor asks. */
interface Ask {
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: object;
  readonly method?: string;
}

/** A browser that keeps the cookies of several sites, and follows what browsers follow: redirects and pages that lead on. */
export class Visitor {
  readonly #jars = new Map<string, Map<string, string>>();

  /** The cookies of a site, by their names. */
  jar(url: string): Map<string, string> {
    const { origin } = new URL(url);
    const jar = this.#jars.get(origin) ?? new Map<string, string>();
    this.#jars.set(origin, jar);
    return jar;
  }

  /** Sends one request, as a page of `from` does. */
  async ask(url: string, { form, json, method }: Ask = {}, from = url): Promise<Seen> {
    const jar = this.jar(url);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const body = form === undefined ? json && JSON.stringify(json) : new URLSearchParams(form).toString();
    const { origin } = new URL(from);
    const isChange = body !== undefined || method !== undefined;
    const headers = {
      "sec-fetch-site": origin === new URL(url).origin ? "same-origin" : "cross-site",
      ...(isChange && { origin }),
      ...(cookie !== "" && { cookie }),
      ...(form !== undefined && { "content-type": "application/x-www-form-urlencoded" }),
      ...(json !== undefined && { "content-type": "application/json" }),
    };
    const sent = method ?? (body === undefined ? "GET" : "POST");
    const response = await fetch(url, {
      method: sent,
      headers,
      redirect: "manual",
      ...(body !== undefined && { body }),
    });
    for (const set of response.headers.getSetCookie()) {
      const [pair = ""] = set.split(";", 1);
      const end = pair.indexOf("=");
      jar.set(pair.slice(0, end), pair.slice(end + 1));
    }
    return { url, status: response.status, text: await response.text(), headers: response.headers };
  }

  /** The address to which a page redirects, or null. */
  static next({ url, text, headers }: Seen): string | null {
    const location = headers.get("location");
    if (location !== null) return new URL(location, url).href;
    const [, refresh] = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(text) ?? [];
    return refresh?.replaceAll("&amp;", "&") ?? null;
  }

  /** Follows what leads on until a page stays, or `isEnough` is true for the next address. */
  async follow(first: Seen, isEnough: (next: string) => boolean = () => false): Promise<Seen> {
    let seen = first;
    for (let hop = 0; hop < 20; hop += 1) {
      const next = Visitor.next(seen);
      if (next === null || isEnough(next)) return seen;
      seen = await this.ask(next, {}, seen.url);
    }
    throw new Error("The pages lead on without end.");
  }
}
