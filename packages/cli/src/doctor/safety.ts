import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Storage, TokenStore } from "@telex/core/storage";
import type { Config } from "../settings/load.ts";
import { settings } from "../settings/table.ts";
import { securityLogOf } from "../storage/storage.ts";
import { type Check, type Finding, ok, warn } from "./finding.ts";
import { databaseOf, hasStorage, withStorage } from "./stored.ts";

/** Checks for unsafe installations, by their printed names. */
export const safetyChecks: Readonly<Record<"rights" | "exposure" | "accounts" | "limits", Check>> = {
  rights: checkRights,
  exposure: checkExposure,
  accounts: checkAccounts,
  limits: checkLimits,
};

const filesOf = (database: string): readonly string[] => [
  ...["", "-wal", "-shm", ".lock"].map((end) => database + end),
  securityLogOf(database),
  ...["audit.log", "audit.log.1"].map((name) => join(dirname(database), name)),
];

/** The files with settings that contain a secret: a key, a token, or an address with a password. */
const secretsOf = (config: Config): readonly string[] =>
  config
    .entries()
    .flatMap(({ isSecret, origin }) =>
      isSecret && origin.includes(" in ") ? [origin.slice(origin.indexOf(" in ") + 4)] : [],
    );

/** All files and folders that contain messages, digests of tokens, or secrets. */
function privatePaths(config: Config): readonly string[] {
  const data = resolve(config.get(settings.data));
  const database = databaseOf(config);
  const keyFiles = [config.get(settings.aiKeyFile), config.get(settings.providerClientSecretFile)];
  const files = [...(database === null ? [] : filesOf(database)), ...keyFiles.flatMap((file) => file ?? [])].map(
    (file) => resolve(file),
  );
  return [data, join(data, "blobs"), ...files, ...secretsOf(config)];
}

const isOpen = async (path: string): Promise<boolean> =>
  existsSync(path) && ((await stat(path)).mode & 0o077) !== 0 && process.platform !== "win32";

async function checkRights(config: Config): Promise<Finding> {
  const open: string[] = [];
  for (const path of new Set(privatePaths(config))) if (await isOpen(path)) open.push(path);
  if (open.length === 0) return ok("only their owner can open the files and folders");
  return warn(`other users of this machine can open ${open.join(", ")}`, `chmod go-rwx ${open.join(" ")}`);
}

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d+){3}|::1|\[::1\])$/.test(host);

async function checkExposure({ get }: Config): Promise<Finding> {
  const host = get(settings.host);
  if (isLoopback(host)) return ok(`only this machine can reach ${host}`);
  const isSecure = get(settings.baseUrl)?.startsWith("https:") === true && get(settings.trustProxy) > 0;
  if (isSecure) return ok(`${host} is behind a proxy with TLS, as baseUrl and trustProxy say`);
  return warn(
    `other machines can reach ${host}, and tokens are sent unencrypted`,
    "Put a proxy with TLS in front, listen on 127.0.0.1, and set --base-url https://... and --trust-proxy on.",
  );
}

/** Tokens to read at a time. */
const chunk = 1000;

async function countEndless(tokens: Pick<TokenStore, "listTokens">): Promise<number> {
  const behind = (after: number) => tokens.listTokens({ userId: null, after, limit: chunk });
  let count = 0;
  for (let page = await behind(0); page.length > 0; page = await behind(page.at(-1)?.tokenId ?? 0)) {
    count += page.filter(({ expiresAt, revokedAt }) => expiresAt === null && revokedAt === null).length;
  }
  return count;
}

/** The unsafe users and tokens of a storage. */
async function faultsIn({ users, tokens }: Storage): Promise<readonly string[]> {
  const demo = await users.findUserByExt("demo-alice");
  const endless = await countEndless(tokens);
  return [
    ...(demo === null ? [] : ["the users of --demo are there, with tokens that were printed"]),
    ...(endless === 0 ? [] : [`tokens that never expire: ${endless}`]),
  ];
}

async function checkAccounts(config: Config): Promise<Finding> {
  if (!hasStorage(config)) return ok("there are no users yet");
  const faults = await withStorage(config, faultsIn);
  if (faults.length === 0) return ok("no demo users, and every token expires");
  const hint = "See telex token list; revoke with telex token revoke <id>, issue with --expires 90d.";
  return warn(faults.join("; "), hint);
}

async function checkLimits({ get }: Config): Promise<Finding> {
  const faults = [
    ...(get(settings.rateLimits) ? [] : ["rateLimits is off: one caller can keep the server busy"]),
    ...(get(settings.fileFloor) > 0 ? [] : ["fileFloor is 0: uploads can fill the disk"]),
    ...(get(settings.recordFloor) > 0 ? [] : ["recordFloor is 0: a full disk is not seen before it is full"]),
  ];
  if (faults.length === 0) return ok("calls are limited, and free disk space is checked");
  return warn(faults.join("; "), "Leave these settings out to get their defaults.");
}
