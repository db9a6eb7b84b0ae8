import { readFile } from "node:fs/promises";
import type { ProviderOptions } from "@telex/auth-server";
import { codeOf, messageOf, UsageError } from "../errors/errors.ts";
import type { Config } from "../settings/load.ts";
import { settings } from "../settings/table.ts";

/** The last part of the address to which the provider redirects. */
const id = "oidc";

async function readSecret(file: string): Promise<string> {
  try {
    const secret = (await readFile(file, "utf8")).trim();
    if (/^[!-~]+$/.test(secret)) return secret;
  } catch (cause) {
    const reason = codeOf(cause) ?? messageOf(cause);
    throw new UsageError(
      `providerClientSecretFile must be a file with the secret; ${file} cannot be read (${reason}).`,
      { cause },
    );
  }
  throw new UsageError(
    `providerClientSecretFile must be a file with the secret and nothing else, which ${file} is not.`,
  );
}

function secretOf({ get }: Pick<Config, "get">): Pick<ProviderOptions, "clientSecret"> {
  const [secret, file] = [get(settings.providerClientSecret), get(settings.providerClientSecretFile)];
  if (secret !== null && file !== null)
    throw new UsageError("Give either providerClientSecret or providerClientSecretFile, not both.");
  if (file !== null) return { clientSecret: () => readSecret(file) };
  return secret === null ? {} : { clientSecret: secret };
}

/** HTTP protects neither codes nor tokens, so it is only for this machine and closed networks, which the operator names. */
function assertProtected(issuer: string, allow: readonly string[]): void {
  const { protocol, host, hostname, port } = new URL(issuer);
  if (protocol === "https:" || allow.includes(port === "" ? `${hostname}:80` : host)) return;
  throw new UsageError("providerIssuer must begin with https:, unless providerAllow names its host and port.");
}

/**
 * The provider of the settings; none if they name none.
 * @throws UsageError for settings that contradict each other
 */
export function providersOf({ get }: Pick<Config, "get">): readonly ProviderOptions[] {
  const [issuer, clientId] = [get(settings.providerIssuer), get(settings.providerClientId)];
  const secret = secretOf({ get });
  if (issuer === null && clientId === null && secret.clientSecret === undefined) return [];
  if (issuer === null || clientId === null)
    throw new UsageError("A provider needs providerIssuer and providerClientId.");
  const [adminGroup, allow] = [get(settings.providerAdminGroup), get(settings.providerAllow)];
  assertProtected(issuer, allow);
  return [
    {
      id,
      issuer,
      clientId,
      ...secret,
      name: get(settings.providerName) ?? new URL(issuer).host,
      scopes: get(settings.providerScopes),
      usernameClaim: get(settings.providerUsernameClaim),
      nicknameClaim: get(settings.providerNicknameClaim),
      groupsClaim: get(settings.providerGroupsClaim),
      domains: get(settings.providerDomains),
      groups: get(settings.providerGroups),
      ...(adminGroup !== null && { adminGroup }),
      allow,
    },
  ];
}

/**
 * Checks the settings of the provider when the server starts, with the file of the secret.
 * @throws UsageError
 */
export async function checkProviders({ get }: Pick<Config, "get">): Promise<void> {
  providersOf({ get });
  const file = get(settings.providerClientSecretFile);
  if (file !== null) await readSecret(file);
}
