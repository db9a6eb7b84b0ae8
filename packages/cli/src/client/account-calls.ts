import type { AccountClient } from "@telex/auth-server/client";
import { print, printJson } from "../terminal/output.ts";
import type { Server } from "./server.ts";
import { send } from "./requests.ts";
import { calling } from "./with-client.ts";

/** Prints a result in words. */
type Say<T> = (result: T) => void;

/**
 * Calls an operation of people with accounts, and prints its result.
 * @param json prints the result as JSON instead of in words
 * @throws Refusal and Failure as the typed client of `with-client.ts` does
 */
export async function callAccount<T>(
  { url, token }: Server,
  json: boolean,
  work: (client: AccountClient) => Promise<T>,
  say: string | Say<T>,
): Promise<void> {
  const { createAccountClient } = await import("@telex/auth-server/client");
  const client = createAccountClient({ url, token, language: "en", fetch: send });
  const result = await calling(url, async () => await work(client));
  if (json) printJson(result);
  else if (typeof say === "string") print(say);
  else say(result);
}
