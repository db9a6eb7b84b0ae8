import type { OperatorClient } from "@telex/http/client";
import { createContext } from "preact";
import { useContext } from "preact/hooks";

/** What the page for admins calls. */
export const OperatorContext = createContext<OperatorClient | null>(null);

/** @throws TypeError outside of the page for admins */
export function useOperator(): OperatorClient {
  const operator = useContext(OperatorContext);
  if (operator === null) throw new TypeError("useOperator is called outside of the page for admins");
  return operator;
}
