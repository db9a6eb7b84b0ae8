/** The headers of a request. */
interface RequestHeaders {
  /**
   * The value of a header; null if the request does not have it.
   * @param name in lower case
   */
  readonly header: (name: string) => string | null;
}

/**
 * How a request relates to the pages of this server: `same` if a browser says that one of them made it, `foreign` if it says
 * something else, and `none` if the request carries neither `Sec-Fetch-Site` nor `Origin`, as programs other than browsers do.
 * @param origins the origins of this server, such as `https://telex.example`
 */
export function relationOf({ header }: RequestHeaders, origins: ReadonlySet<string>): "same" | "foreign" | "none" {
  const site = header("sec-fetch-site");
  const origin = header("origin");
  if (site === null && origin === null) return "none";
  const isSameSite = site === null || site === "same-origin";
  const isSameOrigin = origin === null || origins.has(origin);
  return isSameSite && isSameOrigin ? "same" : "foreign";
}
