import { TelexClientError } from "@telex/http/client";
import { type Problem, problemOf } from "../session/problem.ts";

/** What can go wrong with a conversation, as the person is told. */
export type Trouble =
  | { readonly kind: "problem"; readonly problem: Problem }
  /** The conversation does not exist, or not any more. */
  | { readonly kind: "gone" }
  | { readonly kind: "quotaUsedUp" }
  /** The connection was lost during the reply. */
  | { readonly kind: "cutOff" }
  /** The server could not answer: why, in its words. */
  | { readonly kind: "refused"; readonly words: string };

/** What an error of a call means for conversations. */
export function troubleOf(error: unknown): Trouble {
  if (error instanceof TelexClientError) {
    if (error.code === "not_found") return { kind: "gone" };
    if (error.code === "quota_exceeded") return { kind: "quotaUsedUp" };
  }
  return { kind: "problem", problem: problemOf(error) };
}
