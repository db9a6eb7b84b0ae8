import { send } from "../client/requests.ts";
import { fieldOf } from "../input/unknown.ts";

const askHealth = async (url: string, patience: number): Promise<Response> =>
  await send(new Request(`${url}/healthz`, { signal: AbortSignal.timeout(patience) }));

/**
 * True if Telex answers at a URL, false if another program does, null if there is no response in time.
 * @param patience milliseconds
 */
export async function answersAsTelex(url: string, patience: number): Promise<boolean | null> {
  const response = await askHealth(url, patience).catch(() => null);
  if (response === null) return null;
  const body: unknown = await response.json().catch(() => null);
  return fieldOf(body, "code") !== undefined && fieldOf(body, "data") !== undefined;
}
