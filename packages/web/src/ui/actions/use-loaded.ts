import { useEffect, useMemo, useState } from "preact/hooks";
import { useTexts } from "../../app/context.ts";
import { createNewest } from "../../base/newest.ts";
import { failureText } from "./use-action.ts";

/**
 * Fetches something when it is shown and when the wanted values change, and again after a change. `value` is null before it is known.
 * The newest fetch counts.
 */
export function useLoaded<T>(load: () => Promise<T>, wanted: readonly unknown[] = []) {
  const shared = useTexts();
  const [value, setValue] = useState<T | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const ifNewest = useMemo(createNewest, []);
  const receive = (loaded: T): void => {
    setValue(() => loaded);
    setFailure(null);
  };
  /** Never rejects. */
  const reload = (): Promise<void> => ifNewest(load, receive, setFailure);
  useEffect(() => void reload(), wanted);
  return { value, error: failure === null ? null : failureText(failure, shared), reload };
}
