import { useRef, useState } from "preact/hooks";

/** Runs work once at a time; a call while it runs does nothing. A second click can arrive before a button is drawn as disabled. */
export function useOnce() {
  const [busy, setBusy] = useState(false);
  const isRunning = useRef(false);
  const setRunning = (isNow: boolean): void => {
    isRunning.current = isNow;
    setBusy(isNow);
  };
  const once = async (work: () => Promise<unknown>): Promise<void> => {
    if (isRunning.current) return;
    setRunning(true);
    try {
      await work();
    } finally {
      setRunning(false);
    }
  };
  return { busy, once };
}
