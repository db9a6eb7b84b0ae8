import { rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join, resolve } from "node:path";
import { type Auth, createAuth } from "@telex/auth-server";
import type { Storage, Telex } from "@telex/core";
import type { Config } from "../settings/load.ts";
import { settings } from "../settings/table.ts";
import { makeFolder } from "../storage/place.ts";
import { providersOf } from "./providers.ts";

/** The address of a server in links. */
export function linkAddressOf({ get }: Config, listening: string): string {
  const port = URL.parse(listening)?.port ?? String(get(settings.port));
  return get(settings.baseUrl) ?? `http://localhost:${port}`;
}

/**
 * Accounts with the rules of the settings.
 * @param baseUrl returns the address in links, which may be known only when the server listens
 */
export const accountsOf = ({ get }: Config, telex: Telex, storage: Storage, baseUrl: () => string): Auth => {
  const [secretKey, pushContact] = [get(settings.secretKey), get(settings.pushContact)];
  return createAuth(telex, {
    storage,
    baseUrl,
    registration: get(settings.registration),
    invitations: get(settings.invitations),
    roomCreation: get(settings.roomCreation),
    editLife: get(settings.editLife),
    directory: get(settings.directory),
    sessionLife: get(settings.sessionLife),
    insecureCookies: get(settings.insecureCookies),
    commandLine: get(settings.commandLineLogin),
    clientDocuments: get(settings.clientDocuments) && { allow: get(settings.clientDocumentsAllow) },
    refreshGraceSeconds: get(settings.refreshGraceSeconds),
    providers: providersOf({ get }),
    pushAllow: get(settings.pushAllow),
    ...(pushContact !== null && { pushContact }),
    ...(secretKey !== null && { secretKey }),
  });
};

/** The name of this server among those that share a storage. It is part of the name of a file. */
const serverNameOf = ({ get }: Config, url: string): string =>
  get(settings.serverId) ?? `${hostname()}-${new URL(url).port}`.replaceAll(/[^\w.-]/g, "_");

/** The link that opens the account of the first admin. */
interface SetupLink {
  readonly url: string;
  /** Stores the link in a file that only its owner can read, and returns the path. */
  readonly writeFile: () => Promise<string>;
}

/**
 * Creates the set-up link of a server. The link of an earlier start stops working, and its file is removed.
 * @param listening the address on which the server listens
 * @returns null if there is an admin, or a user
 */
export async function setupLinkOf(config: Config, { services }: Auth, listening: string): Promise<SetupLink | null> {
  const name = serverNameOf(config, listening);
  const data = resolve(config.get(settings.data));
  const file = join(data, `setup-${name}.link`);
  await rm(file, { force: true });
  const link = await services.setup.make(name);
  if (link === null) return null;
  return {
    url: link.url,
    async writeFile() {
      await makeFolder(data);
      await writeFile(file, `${link.url}\n`, { mode: 0o600, flag: "wx" });
      return file;
    },
  };
}
