import type { Auth } from "@telex/auth-server";
import type { AccountClient } from "@telex/auth-server/client";
import type { Command } from "commander";
import { serverFor } from "../client/server.ts";
import { UsageError } from "../errors/errors.ts";
import { configOf } from "../options/command.ts";
import { accountsOf, linkAddressOf } from "../server/accounts.ts";
import type { Config } from "../settings/load.ts";
import { isRemote } from "./place.ts";
import { withTelex } from "./with-telex.ts";

type Purpose = "operate" | "add";

/** Runs with the accounts in the storage. */
const onStorage = async <T>(
  command: Command,
  config: Config,
  work: (auth: Auth) => Promise<T>,
  purpose: Purpose,
): Promise<T> =>
  await withTelex(
    command,
    config,
    async (telex, storage) => await work(accountsOf(config, telex, storage, () => linkAddressOf(config, ""))),
    purpose,
  );

/**
 * Runs operations on accounts: on a running server if the command names one, otherwise on the storage.
 * @throws UsageError, Failure, TelexError
 */
export async function inAccounts<T>(
  command: Command,
  work: (operations: AccountClient["admin"]) => Promise<T>,
): Promise<T> {
  const config = await configOf(command);
  if (!isRemote(command, config))
    return await onStorage(command, config, ({ operations }) => work(operations), "operate");
  const [{ createAccountClient }, { send }, { calling }, { url, token }] = await Promise.all([
    import("@telex/auth-server/client"),
    import("../client/requests.ts"),
    import("../client/with-client.ts"),
    serverFor(config),
  ]);
  const { admin } = createAccountClient({ url, token, language: "en", fetch: send });
  return await calling(url, () => work(admin));
}

/**
 * Runs on the accounts in the storage only.
 * @param what the command, for the error
 * @throws UsageError for a command that names a server
 */
export async function inLocalAccounts<T>(
  command: Command,
  what: string,
  work: (auth: Auth) => Promise<T>,
  purpose: Purpose = "operate",
): Promise<T> {
  const config = await configOf(command);
  if (isRemote(command, config)) {
    throw new UsageError(
      `${what} works only in a shell on the server: over the network, it could be used to act as another person.`,
    );
  }
  return await onStorage(command, config, work, purpose);
}
