import { setTimeout as delay } from "node:timers/promises";
import { TelexError } from "@telex/core";
import { AwsV4Signer } from "aws4fetch";
import { type Dispatcher, request } from "undici";

/** The address of a bucket and its keys. */
export interface S3Options {
  /** The address of the service, such as `https://s3.eu-central-1.amazonaws.com` or `http://127.0.0.1:9000`. */
  readonly endpoint: string;
  readonly bucket: string;
  /** Prefix of the name of every object, such as `telex/`. Default `""`. */
  readonly prefix?: string;
  /** Default `us-east-1`, which most services other than Amazon's accept. */
  readonly region?: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Maximum names in one page of a list, 1-1000. Default 1000. */
  readonly pageSize?: number;
  /** The session token of temporary credentials. Default: none. */
  readonly sessionToken?: string;
}

/** A request for an object, or for the bucket if `key` is absent. */
interface S3Request {
  readonly method: "GET" | "PUT" | "POST" | "DELETE";
  /** The name of the object without the prefix. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent without a copy, so it must not change until the response arrives. */
  readonly body?: Uint8Array | string;
  /** If true, the request is sent only once and aborted after 5 s. */
  readonly isBrief?: boolean;
}

/** A response: its body must be read, or ended with `dump` or `destroy`. */
export type S3Response = Dispatcher.ResponseData;

/** A bucket of a service. */
export interface S3Client {
  readonly prefix: string;
  /**
   * Sends a request, again after failures of the service.
   * @param allowed statuses in addition to 2xx that do not count as failures
   * @throws TelexError `storage_full`, `storage_unavailable`
   */
  readonly send: (request: S3Request, allowed?: readonly number[]) => Promise<S3Response>;
  /** Sends a request, and reads its response as text. */
  readonly sendForText: (request: S3Request, allowed?: readonly number[]) => Promise<string>;
}

/** Milliseconds before each repeat of a failed request. */
const pauses = [50, 200, 1000];
/** Maximum milliseconds without a byte of the response. */
const silence = 60_000;
/** The same for brief requests. */
const briefSilence = 5000;

/** Codes of services that are full. Each service has its own, because S3 defines none. */
const full = /QuotaExceeded|StorageFull|InsufficientStorage|InsufficientCapacity/;

/** The content of the first element with this name. */
export const elementOf = (xml: string, name: string): string | null =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? null;

/** The reason of a failed request. The service's text goes to the log only: it may name the bucket, but never a key. */
async function failureOf({ statusCode, body }: S3Response): Promise<TelexError> {
  const code = elementOf(await body.text().catch(() => ""), "Code") ?? "";
  const cause = new Error(`The S3 service responded with ${[statusCode, code].join(" ").trim()}.`);
  return new TelexError(statusCode === 507 || full.test(code) ? "storage_full" : "storage_unavailable", { cause });
}

function urlOf({ endpoint, bucket, prefix = "" }: S3Options, { key, query = {} }: S3Request): string {
  const url = new URL(endpoint);
  url.pathname = [url.pathname.replace(/\/$/, ""), bucket, ...(key === undefined ? [] : [prefix + key])].join("/");
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}

/** Signs a request with the keys, and sends it once. */
async function sendOnce(options: S3Options, call: S3Request): Promise<S3Response> {
  const { method, headers = {}, body } = call;
  const wait = call.isBrief === true ? briefSilence : silence;
  const { accessKeyId, secretAccessKey, sessionToken, region = "us-east-1" } = options;
  const session = sessionToken === undefined ? {} : { sessionToken };
  const url = urlOf(options, call);
  const keys = { accessKeyId, secretAccessKey, ...session, service: "s3", region };
  const signed = await new AwsV4Signer({ method, url, headers, ...keys }).sign();
  return await request(signed.url, {
    method,
    headers: Object.fromEntries(signed.headers),
    body: body ?? null,
    headersTimeout: wait,
    bodyTimeout: wait,
  });
}

const isPassing = ({ statusCode }: S3Response): boolean =>
  statusCode === 429 || (statusCode >= 500 && statusCode !== 507);

/** Repeats a request while the service or the network fails. */
async function sendPatiently(options: S3Options, call: S3Request): Promise<S3Response> {
  for (const pause of call.isBrief === true ? [] : pauses) {
    const response = await sendOnce(options, call).catch(() => null);
    if (response !== null && !isPassing(response)) return response;
    await response?.body.dump();
    await delay(pause);
  }
  return await sendOnce(options, call).catch((cause: unknown) => {
    throw new TelexError("storage_unavailable", { cause });
  });
}

const textOf = ({ body }: Awaited<ReturnType<typeof sendPatiently>>): Promise<string> =>
  body.text().catch((cause: unknown) => {
    throw new TelexError("storage_unavailable", { cause });
  });

/** Creates a client for one bucket. It does not send a request. */
export function createS3Client(options: S3Options): S3Client {
  const send: S3Client["send"] = async (asked, allowed = []) => {
    const response = await sendPatiently(options, asked);
    const { statusCode } = response;
    if ((statusCode >= 200 && statusCode < 300) || allowed.includes(statusCode)) return response;
    throw await failureOf(response);
  };
  return {
    prefix: options.prefix ?? "",
    send,
    async sendForText(asked, allowed) {
      return await textOf(await send(asked, allowed));
    },
  };
}
