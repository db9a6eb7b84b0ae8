import { channelFrames } from "../channels/frames.ts";
import type { ChannelName } from "../channels/table.ts";

export interface AddressParts {
  readonly url: string;
  readonly token?: string | undefined;
  readonly channel: ChannelName;
  readonly query?: Readonly<Record<string, string | undefined>> | undefined;
  readonly language?: string | undefined;
}

/** The characters of a subprotocol (RFC 9110 5.6.2). */
const isSubprotocol = /^[!#$%&'*+\-.^_`|~\w]+$/;

/** @throws TypeError for an address of another kind; the message does not contain the token */
function baseOf(url: string): string {
  if (!/^(?:http|ws)s?:\/\/[^/?#]/.test(url) || /[?#]/.test(url)) {
    throw new TypeError("The url must be the address of the service, such as https://telex.example.");
  }
  return url.replace(/\/+$/, "").replace(/^http/, "ws");
}

/**
 * The address of a connection and the subprotocols that it offers. The token is one of them, so that no log of a proxy contains
 * it. A token with characters that a subprotocol cannot have becomes the last segment of the address. Without a token, the browser's
 * cookie counts.
 */
export function addressOf({ url, token, channel, query = {}, language }: AddressParts) {
  const isOffered = token === undefined || isSubprotocol.test(token);
  const place = `${baseOf(url)}${channelFrames[channel].path}${isOffered ? "" : `/${encodeURIComponent(token)}`}`;
  const fields = Object.entries({ ...query, lang: language }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return {
    address: `${place}?${new URLSearchParams(fields).toString()}`.replace(/\?$/, ""),
    protocols: isOffered && token !== undefined ? ["telex", `bearer.${token}`] : [],
  };
}
