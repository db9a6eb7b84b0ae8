import { TelexClientError } from "@telex/http/client";
import { type Problem, problemOf } from "../../server/problem.ts";

/** The kinds of trouble with a conversation. */
export type Trouble =
  | { readonly kind: "problem"; readonly problem: Problem }
  /** The conversation does not exist, or was deleted. */
  | { readonly kind: "gone" }
  | { readonly kind: "quotaUsedUp" }
  /** The connection was lost during the reply. */
  | { readonly kind: "cutOff" }
  /** The server rejected the question, with this message. */
  | { readonly kind: "refused"; readonly words: string };

const troubles: Readonly<Partial<Record<TelexClientError["code"], Trouble>>> = {
  not_found: { kind: "gone" },
  quota_exceeded: { kind: "quotaUsedUp" },
};

/** The kind of trouble that an error represents. */
export function troubleOf(error: unknown): Trouble {
  const match = error instanceof TelexClientError ? troubles[error.code] : undefined;
  return match ?? { kind: "problem", problem: problemOf(error) };
}
