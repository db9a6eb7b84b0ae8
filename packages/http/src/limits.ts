import type { Telex } from "@telex/core";

const second = 1000;
const minute = 60 * second;
const kib = 1024;
const mib = 1024 * kib;

/** The limits of one request or connection of HTTP. `createHttp(telex, { limits })` changes single ones. */
export interface HttpLimits {
  /** Bytes of a request line and headers together. */
  readonly headerSize: number;
  /** Milliseconds in which the headers of a request arrive. */
  readonly headerTime: number;
  /** Milliseconds until the first byte of a new connection. */
  readonly firstByteTime: number;
  /** Milliseconds between checks for connections that are late. */
  readonly lateCheckInterval: number;
  /** Bytes of a JSON body. An operation whose longest input needs less accepts less. */
  readonly bodySize: number;
  /** Bytes of a JSON body with pictures, for a model that takes them. Without its pictures it has at most `bodySize`. */
  readonly promptSize: number;
  /** Milliseconds in which a JSON body arrives as a whole. */
  readonly bodyTime: number;
  /** Levels of arrays and objects in a JSON body. */
  readonly bodyDepth: number;
  /** Milliseconds without a byte after which an upload ends. */
  readonly uploadSilence: number;
  /** Milliseconds in which an upload arrives as a whole; at most half of `orphanAge`. */
  readonly uploadTime: number;
  /** Parts of a multipart upload. */
  readonly uploadParts: number;
  /** Bytes of the headers of one part of a multipart upload. */
  readonly partHeaderSize: number;
  /** Milliseconds without a byte in either direction after which a connection without an upgrade is closed. */
  readonly socketSilence: number;
  /** Milliseconds for which a connection is kept between two requests. */
  readonly keepAlive: number;
  /** Milliseconds for which the server reads the rest of a refused request, so that the client can read the response. */
  readonly lingerTime: number;
  /** Milliseconds between comments on an idle event stream. */
  readonly eventHeartbeat: number;
  /** Milliseconds for which a reply continues without its reader, who may reconnect. Then it is stopped. */
  readonly replyGrace: number;
  /** Milliseconds for which a reply that is over can still be read from where its reader lost it. */
  readonly replyKept: number;
  /** Bytes of a reply that are kept for a reader who reconnects. */
  readonly replyBuffer: number;
  /** Replies that are over and kept. */
  readonly repliesKept: number;
}

/** The defaults of {@link HttpLimits}. */
export const defaultHttpLimits: HttpLimits = {
  headerSize: 16 * kib,
  headerTime: 15 * second,
  firstByteTime: 10 * second,
  lateCheckInterval: 5 * second,
  bodySize: mib,
  promptSize: 8 * mib,
  bodyTime: 30 * second,
  bodyDepth: 64,
  uploadSilence: 30 * second,
  uploadTime: 30 * minute,
  uploadParts: 20,
  partHeaderSize: 16 * kib,
  socketSilence: 2 * minute,
  keepAlive: 65 * second,
  lingerTime: 5 * second,
  eventHeartbeat: 15 * second,
  replyGrace: 5 * second,
  replyKept: minute,
  replyBuffer: 256 * kib,
  repliesKept: 500,
};

/**
 * Rejects an `uploadTime` so long that a sweep would mistake an upload in progress for an interrupted one.
 * @throws RangeError
 */
function assertUploadTime({ uploadTime, orphanAge }: Pick<HttpTelex["limits"], "uploadTime" | "orphanAge">): void {
  if (uploadTime <= orphanAge / 2) return;
  throw new RangeError(
    `limits.uploadTime of createHttp must be at most half of limits.orphanAge of createTelex, which is ${orphanAge / 2} ms, not ${uploadTime}: a sweep would remove uploads in progress.`,
  );
}

/** An instance as HTTP sees it: with the limits of HTTP in addition to its own. */
export type HttpTelex = Telex & { readonly limits: HttpLimits };

/**
 * Adds the limits of HTTP to an instance.
 * @throws RangeError if an upload may take longer than half of `orphanAge`
 */
export function withHttpLimits(telex: Telex, overrides: Partial<HttpLimits> = {}): HttpTelex {
  const limits = { ...telex.limits, ...defaultHttpLimits, ...overrides };
  assertUploadTime(limits);
  return { ...telex, limits };
}
