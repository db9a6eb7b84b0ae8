import { useRef, useState } from "preact/hooks";
import { useAction } from "./use-action.ts";

/**
 * A choice that is stored on the server, and shown immediately. If the choice changes during a call, the last one is saved after that call.
 * @param value the stored choice
 * @param save resolves with a message for the person, or null, once `value` is the new choice
 * @param field the name of the choice in errors
 */
export function useChoice<T>(value: T, save: (chosen: T) => Promise<string | null>, field: string) {
  const [chosen, setChosen] = useState<{ readonly value: T } | null>(null);
  const next = useRef<{ readonly value: T } | null>(null);
  const { text, errorOf, run } = useAction([field]);
  const saveLast = async (): Promise<string | null> => {
    let said: string | null = null;
    try {
      while (next.current !== null) {
        const last = next.current;
        next.current = null;
        said = await save(last.value);
      }
    } finally {
      next.current = null;
      setChosen(null);
    }
    return said;
  };
  const choose = (wanted: T): void => {
    next.current = { value: wanted };
    setChosen(next.current);
    run(saveLast);
  };
  return { shown: chosen === null ? value : chosen.value, error: errorOf(field) ?? text, choose };
}
