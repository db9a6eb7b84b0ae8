import { TelexError } from "@telex/core";

/** A JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Maps a list. A value that is not a list, or has more than `max` elements, is returned as it is: the operation counts the
 * elements before it looks at them, and rejects it.
 */
export const mapList = (value: unknown, max: number, map: (one: unknown, index: number) => unknown): unknown =>
  Array.isArray(value) && value.length <= max ? value.map(map) : (value ?? undefined);

/** A field of the interface of OpenAI that Telex does not have. */
export const notSupported = (field: string): TelexError =>
  new TelexError("invalid_request", { reason: "field_unsupported", params: { field } });

/**
 * Like OpenAI's own server: an unknown field is an error.
 * @throws TelexError `invalid_request`
 */
export function assertKnown(fields: Fields, names: ReadonlySet<string>, path = ""): void {
  const field = Object.keys(fields).find((name) => !names.has(name));
  if (field === undefined) return;
  throw new TelexError("invalid_request", { reason: "field_unknown", params: { field: `${path}${field}` } });
}

/** The names of our fields in the interface of OpenAI, as they stand in paths. */
const names: readonly (readonly [ours: RegExp, theirs: string])[] = [
  [/^maxOutputTokens/, "max_completion_tokens"],
  [/^responseFormat\./, "response_format.json_schema."],
  [/^responseFormat/, "response_format"],
  [/^toolChoice\.name/, "tool_choice.function.name"],
  [/^toolChoice/, "tool_choice"],
  [/^(tools\.\d+)\.(?=.)/, "$1.function."],
  [/\.toolCalls\.(\d+)\.(name|arguments)$/, ".tool_calls.$1.function.$2"],
  [/\.toolCalls/, ".tool_calls"],
  [/\.toolCallId/, ".tool_call_id"],
  [/\.parts\.(\d+)\.image$/, ".content.$1.image_url.url"],
  [/\.parts\.(\d+)\.detail$/, ".content.$1.image_url.detail"],
  [/\.parts/, ".content"],
];

/** The path of a field as its sender knows it. */
export const theirPath = (path: string): string =>
  names.reduce((result, [ours, theirs]) => result.replace(ours, theirs), path);

/**
 * A body as an object.
 * @throws TelexError `invalid_request`
 */
export function readFields(body: unknown): Fields {
  if (!isFields(body)) throw new TelexError("invalid_request", { reason: "body_not_json" });
  return body;
}
