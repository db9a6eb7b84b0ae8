import { TelexClientError } from "@telex/http/client";
import { type Problem, problemOf } from "../server/problem.ts";

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

const troubles: Readonly<Partial<Record<TelexClientError["code"], Trouble>>> = {
  not_found: { kind: "gone" },
  quota_exceeded: { kind: "quotaUsedUp" },
};

/** What an error of a call means for conversations. */
export function troubleOf(error: unknown): Trouble {
  const known = error instanceof TelexClientError ? troubles[error.code] : undefined;
  return known ?? { kind: "problem", problem: problemOf(error) };
}
