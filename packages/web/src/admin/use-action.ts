import { TelexClientError } from "@telex/http/client";
import { useRef, useState } from "preact/hooks";
import { useTexts } from "../context.ts";
import type { Texts } from "../i18n/texts.ts";
import { problemOf } from "../session/problem.ts";

/** Why a call failed: in words, or at the fields that were wrong. */
interface Failure {
  readonly text: string | null;
  readonly fields: ReadonlyMap<string, string>;
}

/** Something that is asked of the server, once at a time. */
interface Action {
  readonly busy: boolean;
  /** What went wrong, except for what is said at the fields; null if nothing did. */
  readonly text: string | null;
  /** What is wrong with a field. */
  readonly errorOf: (field: string) => string | null;
  /** Does nothing while something is being asked. */
  readonly run: (work: () => Promise<void>) => void;
}

/** The server says exactly what is wrong, in the language of the page. What is not its response is a failed connection. */
export const failureText = (error: unknown, texts: Texts): string =>
  error instanceof TelexClientError && error.code !== "unknown" ? error.message : texts.problem[problemOf(error)];

function failureOf(error: unknown, shown: readonly string[], texts: Texts): Failure {
  const issues = error instanceof TelexClientError ? error.issues : [];
  const fields = new Map(issues.map(({ path, message }) => [path, message]));
  const others = issues.filter(({ path }) => !shown.includes(path)).map(({ path, message }) => `${path}: ${message}`);
  if (issues.length === 0) return { text: failureText(error, texts), fields };
  return { text: others.length === 0 ? null : others.join(" "), fields };
}

/**
 * Nothing is being asked.
 * @param shown the fields that show what is wrong with them
 */
export function useAction(shown: readonly string[] = []): Action {
  const texts = useTexts();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const isRunning = useRef(false);
  const perform = async (work: () => Promise<void>): Promise<void> => {
    // A second press can come before the button is drawn as disabled.
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    setFailure(null);
    try {
      await work();
    } catch (error) {
      setFailure(failureOf(error, shown, texts));
    }
    isRunning.current = false;
    setBusy(false);
  };
  return {
    busy,
    text: failure?.text ?? null,
    errorOf: (field) => failure?.fields.get(field) ?? null,
    run: (work) => void perform(work),
  };
}
