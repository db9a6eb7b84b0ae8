import { TelexClientError } from "@telex/http/client";
import { useState } from "preact/hooks";
import { useApp, useTexts } from "../../app/context.ts";
import type { Texts } from "../../i18n/texts.ts";
import { problemOf } from "../../server/problem.ts";
import { useOnce } from "./use-once.ts";

/** The reason why a call failed, as text or as errors of fields. */
interface Failure {
  readonly text: string | null;
  readonly fields: ReadonlyMap<string, string>;
}

/** Calls the server. Resolves with a message for the person, or null. */
export type Work = () => Promise<string | null>;

/** A call of the server. Only one runs at a time. */
interface Action {
  readonly busy: boolean;
  /** The error except the errors of fields that show their own. Null if there is no other error. */
  readonly text: string | null;
  readonly errorOf: (field: string) => string | null;
  /** Does nothing while a call runs. */
  readonly run: (work: Work) => void;
}

/** The text of an error. Responses of the server contain one in the language of the page. Any other error is a failed connection. */
export const failureText = (error: unknown, texts: Texts): string =>
  error instanceof TelexClientError && error.code !== "unknown" ? error.message : texts.problem[problemOf(error)];

/** The errors of fields. The text contains those of fields that are not `shown`. */
function issuesFailure(issues: TelexClientError["issues"], shown: readonly string[]): Failure {
  const fields = new Map(issues.map(({ path, message }) => [path, message]));
  const others = issues.filter(({ path }) => !shown.includes(path)).map(({ path, message }) => `${path}: ${message}`);
  return { text: others.length === 0 ? null : others.join(" "), fields };
}

function failureOf(error: unknown, shown: readonly string[], texts: Texts): Failure {
  const issues = error instanceof TelexClientError ? error.issues : [];
  return issues.length > 0 ? issuesFailure(issues, shown) : { text: failureText(error, texts), fields: new Map() };
}

const noFailure: Failure = { text: null, fields: new Map() };

/**
 * Runs an action, one at a time.
 * @param shown the fields that show their own errors
 */
export function useAction(shown: readonly string[] = []): Action {
  const { notices } = useApp();
  const texts = useTexts();
  const { busy, once } = useOnce();
  const [{ text, fields }, setFailure] = useState(noFailure);
  const say = (said: string | null): void => {
    if (said !== null) notices.show(said);
  };
  const fail = (error: unknown): void => setFailure(failureOf(error, shown, texts));
  const perform = async (work: Work): Promise<void> => {
    setFailure(noFailure);
    await work().then(say, fail);
  };
  return { busy, text, errorOf: (field) => fields.get(field) ?? null, run: (work) => void once(() => perform(work)) };
}
