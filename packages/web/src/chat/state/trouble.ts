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
  /** The server could not answer: why, in its words. */
  | { readonly kind: "refused"; readonly words: string };

const troubles: Readonly<Partial<Record<TelexClientError["code"], Trouble>>> = {
  not_found: { kind: "gone" },
  quota_exceeded: { kind: "quotaUsedUp" },
};

/** The trouble that an error of a call stands for. */
export function troubleOf(error: unknown): Trouble {
  const match = error instanceof TelexClientError ? troubles[error.code] : undefined;
  return match ?? { kind: "problem", problem: problemOf(error) };
}
