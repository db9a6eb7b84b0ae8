import { expensiveInputs } from "@telex/conformance";
import { z } from "zod";
import { bodySizeOf } from "../src/request/body-cost.ts";
import type { InputKind } from "../src/routes.ts";
import type { RoutedOperation } from "../src/endpoints/operations.ts";

/** A request with one part that is expensive to read. */
export interface ExpensiveRequest {
  readonly name: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The bytes that are expensive. */
  readonly bytes: number;
}

/** Bytes of a request line and of headers, within the common limit of 16 KiB. */
const headBytes = 12 * 1024;
/** Bytes of a body. */
const most = 32 * 1024;
/** Below this size the constant share of a call is larger than that of the body. */
const least = 4 * 1024;

const repeated = (part: string, bytes: number): string => part.repeat(Math.floor(bytes / part.length));

/** Values of parsed headers, and the part that is repeated in them. */
const headerParts: Readonly<Record<string, readonly string[]>> = {
  accept: ["text/html;q=0,", "text/html ", ","],
  "accept-encoding": ["gzip;q=0,", "gzip ", ","],
  "accept-language": ["zh;q=0.1,", "en-", ";q=", ","],
  authorization: ["Bearer ", "Bearer a", "="],
  "content-type": ["application/", "multipart/form-data; boundary=", ";"],
  "if-none-match": ['"a",', "W/", ","],
  range: ["bytes=0-", "0-1,"],
  "x-forwarded-for": ["1.2.3.4,", "::", ","],
};

const queryParts = ["a=1&", "&", "=", "%41", "+", "lang=en&", "access_token=a&", "id=1&", "%F0%9F%98%80"];

/** The path of a route with a value for each of its fields. */
export const filled = (path: string, value = "1"): string => path.replaceAll(/:\w+/g, value).replace("/**", "/x");

/** Requests for any path: long headers, a long query, and long fields of the path. */
export function* expensiveHeads(route: string): Generator<ExpensiveRequest> {
  const path = filled(route);
  for (const [name, parts] of Object.entries(headerParts)) {
    for (const part of parts) {
      const value = repeated(part, headBytes);
      yield { name: `${name}: ${part}`, path, headers: { [name]: value.trim() }, bytes: headBytes };
    }
  }
  for (const part of queryParts)
    yield { name: `?${part}`, path: `${path}?${repeated(part, headBytes)}`, bytes: headBytes };
  if (!route.includes(":")) return;
  const fields = route.split(":").length - 1;
  for (const part of ["a", "1", "%41", "..", "%2e%2e%2f", "-_", "="]) {
    const value = repeated(part, Math.floor(headBytes / fields));
    yield { name: `a path of ${part}`, path: filled(route, value), bytes: headBytes };
  }
}

function* expensiveQueries({ operation, route }: RoutedOperation): Generator<ExpensiveRequest> {
  const path = filled(route.path);
  const { input } = operation;
  for (const name of input instanceof z.ZodObject ? Object.keys(input.shape) : []) {
    for (const part of ["a", "1", "%41", "%E4%B8%AD", "-", "+", "=", "{", "%22"]) {
      yield { name: `${name}=${part}`, path: `${path}?${name}=${repeated(part, headBytes)}`, bytes: headBytes };
    }
  }
}

/** An object of about this many bytes as JSON, each key of which looks like a small picture. */
export const pictureKeys = (bytes: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: Math.floor(bytes / 32) }, (_, at) => [`data:image/a;base64,${1e6 + at}`, 0]));

function* expensiveBodies({ operation, route }: RoutedOperation, bodySize: number): Generator<ExpensiveRequest> {
  const path = filled(route.path);
  const headers = { "content-type": "application/json" };
  const bytes = Math.min(most, bodySizeOf(operation, bodySize) - 1024);
  for (const { name, text } of expensiveInputs(operation, bytes)) {
    if (text.length >= least) yield { name, path, headers, body: text, bytes: text.length };
  }
  const name = "keys that look like pictures";
  const body = JSON.stringify(pictureKeys(bytes));
  yield { name, path, headers, body, bytes };
}

function* expensiveForms({ route }: RoutedOperation): Generator<ExpensiveRequest> {
  const path = filled(route.path);
  const headers = { "content-type": "multipart/form-data; boundary=b" };
  const part = (disposition: string, content: string): string =>
    `--b\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;
  const bodies = {
    "parts without a file": repeated(part('name="x"', ""), most),
    "a file of almost boundaries": part('name="file"; filename="x"', repeated("\r\n--", most)),
    "a file of line ends": part('name="file"; filename="x"', repeated("\r\n", most)),
    "a long name": part(`name="file"; filename="${repeated("%41", headBytes)}"`, ""),
    "a name of backslashes": part(`name="file"; filename="${repeated("\\\\", headBytes)}"`, ""),
    "many parameters": part(`name="file"${repeated('; a="b"', headBytes)}`, ""),
    "many headers of a part": `--b\r\n${repeated("a: b\r\n", headBytes)}\r\n\r\n`,
    "no boundary": repeated("-", most),
  };
  for (const [name, form] of Object.entries(bodies)) {
    yield { name, path, headers, body: `${form}--b--\r\n`, bytes: form.length };
  }
}

/** Inputs that are expensive to read, by their part of the request: a new kind does not compile without its requests. */
const byKind: {
  readonly [K in InputKind]: (routed: RoutedOperation, bodySize: number) => Iterable<ExpensiveRequest>;
} = { json: expensiveBodies, query: expensiveQueries, upload: expensiveForms };

/** The most expensive requests of an operation. */
export function* expensiveRequests(routed: RoutedOperation, bodySize: number): Generator<ExpensiveRequest> {
  yield* expensiveHeads(routed.route.path);
  yield* byKind[routed.route.input](routed, bodySize);
}
