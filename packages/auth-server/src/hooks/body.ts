import { TelexError } from "@telex/core";
import { parseJson } from "@telex/core/transport";
import { fieldOf, textOf } from "./read.ts";
import { discordText, slackText, titledText } from "./slack.ts";
import { fillTemplate } from "./template.ts";

/** A message of a hook. */
export interface HookMessage {
  /** Cut to the maximum length. */
  readonly text: string;
  /** The name that the caller gives themselves; `""` for none. */
  readonly username: string;
}

/** Code points of a text and of a name. */
const most = { text: 10_000, username: 64 };

function cut(text: string, length: number): string {
  const whole = text.toWellFormed();
  if (whole.length <= length) return whole;
  const points = Array.from(whole.slice(0, 2 * length + 2));
  return points.length <= length ? whole : `${points.slice(0, length - 1).join("")}…`;
}

const badBody = (): TelexError =>
  new TelexError("invalid_request", { issues: [{ path: "body", problem: "invalid", params: {} }] });

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    throw badBody();
  }
}

function ofJson(body: unknown, template: string | null): HookMessage {
  const text =
    template === null
      ? [slackText, discordText, titledText].map((textIn) => textIn(body)).find((found) => found !== "")
      : fillTemplate(template, body, most.text);
  return { text: text ?? "", username: textOf(fieldOf(body, "username")) };
}

function read(content: string, contentType: string, template: string | null): HookMessage {
  if (contentType === "application/json" || contentType.endsWith("+json")) return ofJson(parse(content), template);
  const isForm = contentType === "application/x-www-form-urlencoded";
  const payload = isForm && content.startsWith("payload=") ? new URLSearchParams(content).get("payload") : null;
  // `curl -d text` sends a text as a form.
  return payload === null ? { text: content, username: "" } : ofJson(parse(payload), template);
}

/**
 * Reads the body of a call of a hook: the form of Slack, of Discord, with a title and a message, or a text.
 * @param contentType without parameters, in lower case; `""` for none
 * @param template fills the text from any JSON, see {@link fillTemplate}; null for none
 * @throws TelexError `invalid_request` for a body without a text
 */
export function readBody(content: string, contentType: string, template: string | null): HookMessage {
  const { text, username } = read(content, contentType, template);
  const trimmed = text.trim();
  if (trimmed === "") throw badBody();
  return { text: cut(trimmed, most.text), username: cut(username, most.username) };
}
