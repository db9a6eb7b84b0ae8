import type { IncomingMessage } from "node:http";
import { readJson } from "../../wire/frames.ts";

/** The refusal of a request with a status. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number) {
    super(String(status));
    this.status = status;
  }
}

/** Reads the body of a request. Rejects with the reason of its refusal. */
export type ReadText = () => Promise<string>;

export const typeOf = ({ headers }: IncomingMessage): string =>
  (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";

/** The parameters in a body: JSON or a form; an empty body has none. */
export function paramsOf(request: IncomingMessage, text: string): unknown {
  const type = typeOf(request);
  if (text === "") return {};
  if (type === "application/x-www-form-urlencoded") return Object.fromEntries(new URLSearchParams(text));
  if (type !== "application/json" && type !== "") throw new Refusal(406);
  const value = readJson(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Refusal(400);
  return value;
}
