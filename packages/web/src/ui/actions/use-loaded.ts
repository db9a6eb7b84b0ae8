import { useEffect, useMemo, useState } from "preact/hooks";
import { useTexts } from "../../app/context.ts";
import { createNewest } from "../../base/newest.ts";
import { failureText } from "./use-action.ts";

/**
 * Loads a value initially, when `wanted` changes, and with `reload`. `value` is null until it is loaded. Only the result of the newest load is used.
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
