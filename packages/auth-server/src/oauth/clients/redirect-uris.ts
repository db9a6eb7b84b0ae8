const isWeb = ({ protocol }: URL): boolean => protocol === "https:" || protocol === "http:";

const isLoopback = (url: URL): boolean => isWeb(url) && ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);

/** True for an address at which only a program on the person's own device answers. */
export function isNative(text: string): boolean {
  const url = new URL(text);
  return !isWeb(url) || (url.protocol === "http:" && isLoopback(url));
}

/** A reversed domain name, as RFC 8252 requires: other schemes, such as `javascript:`, run in the browser. */
const ownScheme = /^[a-z][a-z\d+-]*(?:\.[a-z\d+-]+)+:$/;

/** True for an address to which browsers may take a code. */
export function isRedirectUri(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.hash !== "" || url.username !== "" || url.password !== "") return false;
  return url.protocol === "https:" || isLoopback(url) || ownScheme.test(url.protocol);
}
