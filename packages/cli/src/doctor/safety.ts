import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { TokenStore } from "@telex/core/storage";
import type { Config } from "../settings/load.ts";
import { settings } from "../settings/table.ts";
import { isMongo, openStorage, schemeOf, securityLogOf } from "../storage.ts";
import type { Check, Finding } from "./finding.ts";

/** What is unsafe about an installation, by the name that is printed. */
export const safetyChecks: Readonly<Record<"rights" | "exposure" | "accounts" | "limits", Check>> = {
  rights: checkRights,
  exposure: checkExposure,
  accounts: checkAccounts,
  limits: checkLimits,
};

const fileOf = ({ get }: Config): string | null => {
  const url = get(settings.storage);
  return schemeOf(url) === "sqlite:" ? resolve(url.slice("sqlite:".length)) : null;
};

/** Everything that holds messages, digests of tokens or secrets. */
function privatePaths(config: Config): readonly string[] {
  const data = resolve(config.get(settings.data));
  const database = fileOf(config);
  const files =
    database === null ? [] : [...["", "-wal", "-shm", ".lock"].map((end) => database + end), securityLogOf(database)];
  const keyFile = config.get(settings.aiKeyFile);
  const secrets = config
    .entries()
    .flatMap(({ name, origin }) =>
      /^(token|aiKey)$/.test(name) && origin.includes(" in ") ? [origin.slice(origin.indexOf(" in ") + 4)] : [],
    );
  return [data, join(data, "blobs"), ...files, ...(keyFile === null ? [] : [resolve(keyFile)]), ...secrets];
}

const isOpen = async (path: string): Promise<boolean> =>
  existsSync(path) && ((await stat(path)).mode & 0o077) !== 0 && process.platform !== "win32";

async function checkRights(config: Config): Promise<Finding> {
  const paths = privatePaths(config);
  const open: string[] = [];
  for (const path of new Set(paths)) if (await isOpen(path)) open.push(path);
  if (open.length === 0) return { status: "ok", detail: "only their owner can open the files and folders" };
  return {
    status: "warn",
    detail: `other users of this machine can open ${open.join(", ")}`,
    hint: `chmod go-rwx ${open.join(" ")}`,
  };
}

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d+){3}|::1|\[::1\])$/.test(host);

async function checkExposure({ get }: Config): Promise<Finding> {
  const host = get(settings.host);
  if (isLoopback(host)) return { status: "ok", detail: `only this machine can reach ${host}` };
  const isSecure = get(settings.baseUrl)?.startsWith("https:") === true && get(settings.trustProxy) > 0;
  if (isSecure) return { status: "ok", detail: `${host} is behind a proxy with TLS, as baseUrl and trustProxy say` };
  return {
    status: "warn",
    detail: `other machines can reach ${host}, and tokens are sent unencrypted`,
    hint: "Put a proxy with TLS in front, listen on 127.0.0.1, and set --base-url https://... and --trust-proxy on.",
  };
}

/** Tokens that are read together. */
const chunk = 1000;

async function countEndless(tokens: Pick<TokenStore, "listTokens">): Promise<number> {
  const behind = (after: number) => tokens.listTokens({ userId: null, after, limit: chunk });
  let count = 0;
  for (let page = await behind(0); page.length > 0; page = await behind(page.at(-1)?.tokenId ?? 0)) {
    count += page.filter(({ expiresAt, revokedAt }) => expiresAt === null && revokedAt === null).length;
  }
  return count;
}

async function checkAccounts(config: Config): Promise<Finding> {
  const file = fileOf(config);
  const isThere = file === null ? isMongo(config.get(settings.storage)) : existsSync(file);
  if (!isThere) return { status: "ok", detail: "there are no users yet" };
  const { storage } = await openStorage(config, "operate");
  try {
    const demo = await storage.users.findUserByExt("demo-alice");
    const endless = await countEndless(storage.tokens);
    const faults = [
      ...(demo === null ? [] : ["the users of --demo are there, with tokens that were printed"]),
      ...(endless === 0 ? [] : [`tokens that never expire: ${endless}`]),
    ];
    if (faults.length === 0) return { status: "ok", detail: "no demo users, and every token expires" };
    const hint = "See telex token list; revoke with telex token revoke <id>, issue with --expires 90d.";
    return { status: "warn", detail: faults.join("; "), hint };
  } finally {
    await storage.close();
  }
}

async function checkLimits({ get }: Config): Promise<Finding> {
  const faults = [
    ...(get(settings.rateLimits) ? [] : ["rateLimits is off: one caller can keep the server busy"]),
    ...(get(settings.fileFloor) > 0 ? [] : ["fileFloor is 0: uploads can fill the disk"]),
    ...(get(settings.recordFloor) > 0 ? [] : ["recordFloor is 0: a full disk is not seen before it is full"]),
  ];
  if (faults.length === 0) return { status: "ok", detail: "calls are limited, and free disk space is checked" };
  return { status: "warn", detail: faults.join("; "), hint: "Leave these settings out to get their defaults." };
}
