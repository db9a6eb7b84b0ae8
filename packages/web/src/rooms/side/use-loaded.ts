import { useEffect, useState } from "preact/hooks";
import { useTexts } from "../../app/context.ts";
import { failureText } from "../../ui/actions/use-action.ts";

/** Fetches something when it is shown, and again after a change. `value` is null before it is known. */
export function useLoaded<T>(load: () => Promise<T>) {
  const shared = useTexts();
  const [value, setValue] = useState<T | null>(null);
  const [error, setError] = useState<string | null>(null);
  const reload = async (): Promise<void> => {
    try {
      const loaded = await load();
      setValue(() => loaded);
      setError(null);
    } catch (cause) {
      setError(failureText(cause, shared));
    }
  };
  useEffect(() => void reload(), []);
  return { value, error, reload };
}
