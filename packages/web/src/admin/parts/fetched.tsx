import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { useTexts } from "../../app/context.ts";
import { createNewest } from "../../base/newest.ts";
import { ErrorText } from "../../ui/forms/error-text.tsx";
import { LinkButton } from "../../ui/forms/link-button.tsx";
import { useAdminTexts } from "../texts/texts.ts";
import { failureText } from "../../ui/actions/use-action.ts";

/** The error of a load, with a button to try again. Hidden if there is no error. */
export function Trouble({ failure, onAgain }: { readonly failure: unknown; readonly onAgain: () => void }) {
  const texts = useTexts();
  if (failure === null) return null;
  return (
    <div class="trouble">
      <ErrorText text={failureText(failure, texts)} />
      <LinkButton onClick={onAgain}>{texts.tryAgain}</LinkButton>
    </div>
  );
}

/** A value that is being loaded, or the error. */
export interface FetchedState<T> {
  /** Null until it is loaded. */
  readonly value: T | null;
  readonly setValue: (value: T) => void;
  /** The error of the last load. Null if it succeeded. */
  readonly failure: unknown;
  readonly load: () => void;
}

/** Loads a value when it is first wanted, and again with `load`. */
export function useFetched<T>(fetch: () => Promise<T>, wanted: readonly unknown[]): FetchedState<T> {
  const [value, setValue] = useState<T | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const ifNewest = useMemo(createNewest, []);
  const load = (): void => {
    setFailure(null);
    void ifNewest(fetch, setValue, setFailure);
  };
  useEffect(load, wanted);
  return { value, setValue, failure, load };
}

interface FetchedProps<T> {
  readonly from: FetchedState<T>;
  /** Draws the value. */
  readonly children: (value: T) => ComponentChildren;
}

/** Shows a value, or that it is being loaded, or the error. */
export function Fetched<T>({ from, children }: FetchedProps<T>) {
  const texts = useAdminTexts();
  const { value, failure, load } = from;
  return (
    <>
      <Trouble failure={failure} onAgain={load} />
      {value === null && failure === null && <p class="quiet">{texts.loading}</p>}
      {value !== null && children(value)}
    </>
  );
}
