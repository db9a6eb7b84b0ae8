import { fieldOf } from "../input/unknown.ts";

/**
 * True if Telex answers at a URL, false if another program does, null if there is no response in time.
 * @param patience milliseconds
 */
export async function answersAsTelex(url: string, patience: number): Promise<boolean | null> {
  const signal = AbortSignal.timeout(patience);
  const response = await fetch(`${url}/healthz`, { redirect: "error", signal }).catch(() => null);
  if (response === null) return null;
  const body: unknown = await response.json().catch(() => null);
  return fieldOf(body, "code") !== undefined && fieldOf(body, "data") !== undefined;
}
