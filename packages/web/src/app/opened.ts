import { useEffect } from "preact/hooks";
import { useApp } from "./context.ts";

/** Names an open item in the title of the document while the component is mounted. Null names nothing. */
export function useOpened(name: string | null): void {
  const { opened } = useApp();
  useEffect(() => {
    if (name === null) return undefined;
    opened.value = name;
    return () => {
      opened.value = null;
    };
  }, [opened, name]);
}
