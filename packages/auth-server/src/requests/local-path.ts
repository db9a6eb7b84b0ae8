/** Characters that no browser drops, or reads as the beginning of a host. */
const safe = /^\/[\w\-./~%?=&+:]*$/;

/** The folders to which a sign-in may lead. Not the API: a redirect would call it with the cookie, as if a page had asked. */
const folders = ["/user/", "/oauth2/"];

/**
 * Where a browser goes after signing in: `to` if it is the path of a page of this server, otherwise `fallback`. The path is returned as
 * browsers read it, without `.` and `..`.
 */
export function localPath(to: string | null | undefined, fallback: string): string {
  if (to === null || to === undefined || to.length > 1024 || !safe.test(to) || to.startsWith("//")) return fallback;
  const base = "http://telex.invalid";
  const url = URL.parse(to, base);
  const isPage = url?.origin === base && folders.some((folder) => url.pathname.startsWith(folder));
  return isPage ? url.pathname + url.search : fallback;
}
