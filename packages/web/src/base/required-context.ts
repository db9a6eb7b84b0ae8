import { type Context, createContext } from "preact";
import { useContext } from "preact/hooks";

/** A context without a default value, and the hook that reads it. */
interface RequiredContext<T> {
  readonly Context: Context<T | null>;
  /** @throws TypeError outside of a provider of this context */
  readonly use: () => T;
}

/** @param hook the exported name of the hook, for its error */
export function createRequiredContext<T>(hook: string): RequiredContext<T> {
  const Context = createContext<T | null>(null);
  const use = (): T => {
    const value = useContext(Context);
    if (value === null) throw new TypeError(`${hook} is called outside of its provider`);
    return value;
  };
  return { Context, use };
}
