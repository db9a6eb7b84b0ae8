import type { CallToolResult } from "@modelcontextprotocol/client";
import { mostResult } from "./bounds.ts";
import { cut, plainText } from "./text.ts";

/** The outcome of a call. */
export interface Outcome {
  readonly isOk: boolean;
  /** The answer for the model. */
  readonly text: string;
}

type Content = CallToolResult["content"][number];

function textOf(part: Content): string {
  if (part.type === "text") return part.text;
  if (part.type === "resource") return "text" in part.resource ? part.resource.text : `[${part.resource.uri}]`;
  if (part.type === "resource_link") return `[${part.uri}]`;
  return `[${part.type} ${part.mimeType}]`;
}

/** A result as text, of bounded length. Pictures and sounds are named. */
export function outcomeOf({ content, structuredContent, isError = false }: CallToolResult): Outcome {
  const text = content.map(textOf).join("\n") || JSON.stringify(structuredContent ?? {});
  return { isOk: !isError, text: plainText(cut(text, mostResult)) };
}
