import type { AvatarSource, FamilyAccess, Limits, TelexOptions } from "@telex/core";
import { messageOf, UsageError } from "../errors/errors.ts";
import type { Config } from "../settings/load.ts";
import { cachesOf } from "./memory.ts";
import { limitRows } from "../settings/rows/limits.ts";
import { settings } from "../settings/table.ts";

/** The options of an instance that settings determine. */
type FromSettings = Pick<
  TelexOptions,
  | "locale"
  | "timeZone"
  | "access"
  | "allocation"
  | "limits"
  | "unknownRooms"
  | "avatarSource"
  | "baseUrl"
  | "serverName"
>;

/**
 * The settings as options of an instance.
 * @throws UsageError for avatar templates that cannot be used
 */
export async function telexOptionsOf({ get }: Config): Promise<FromSettings> {
  const avatarSource = await avatarSourceOf({ get });
  const [baseUrl, serverName] = [get(settings.baseUrl), get(settings.serverId)];
  const locale = get(settings.locale);
  return {
    timeZone: get(settings.timeZone),
    access: accessOf({ get }),
    allocation: { unit: get(settings.quotaUnit), max: get(settings.quotaMax), period: get(settings.quotaPeriod) },
    limits: { ...cachesOf({ get }), ...limitsOf({ get }) },
    unknownRooms: get(settings.unknownRooms),
    ...(avatarSource && { avatarSource }),
    ...(locale !== null && { locale }),
    ...(baseUrl !== null && { baseUrl }),
    ...(serverName !== null && { serverName }),
  };
}

const accessOf = ({ get }: Pick<Config, "get">): FamilyAccess => ({
  images: get(settings.accessImages),
  avatars: get(settings.accessAvatars),
  codes: get(settings.accessCodes),
  downloads: get(settings.accessDownloads),
  pairing: get(settings.accessPairing),
});

const limitsOf = ({ get }: Pick<Config, "get">): Partial<Limits> =>
  Object.fromEntries(Object.entries(limitRows).map(([name, setting]) => [name, get(setting)]));

async function avatarSourceOf({ get }: Pick<Config, "get">): Promise<AvatarSource | null> {
  const personal = get(settings.avatarUrlExt);
  const group = get(settings.avatarUrlExtGroup);
  const template = personal ?? group;
  if (template === null) return null;
  const { templateAvatarSource } = await import("@telex/outgoing");
  try {
    const allow = get(settings.avatarAllow);
    const source = templateAvatarSource({ personal: template, ...(group !== null && { group }), allow });
    if (personal !== null) return source;
    return { ...source, fetch: async (avatar) => (avatar.kind === "group" ? await source.fetch(avatar) : null) };
  } catch (error) {
    throw new UsageError(messageOf(error), { cause: error });
  }
}
