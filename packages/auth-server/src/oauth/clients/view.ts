import type { ClientRecord } from "@telex/core/storage";
import { z } from "zod";

/** The grant types that applications can be registered for, by their names in Telex. */
export const grantTypes = {
  code: "authorization_code",
  refresh: "refresh_token",
  device: "urn:ietf:params:oauth:grant-type:device_code",
} as const;

/** The names of {@link grantTypes}. */
export const grantNames = ["code", "refresh", "device"] as const;

/** A registered application. */
export const clientView = z.object({
  id: z.string(),
  name: z.string(),
  redirectUris: z.array(z.string()),
  grants: z.array(z.enum(grantNames)),
  scopes: z.array(z.string()),
  hasSecret: z.boolean(),
  createdAt: z.iso.datetime().meta({ description: "ISO 8601 in UTC." }),
});

/** A registered application for admins. */
export const viewClient = ({ clientId, name, secretDigest, ...client }: ClientRecord): z.output<typeof clientView> => ({
  id: clientId,
  name,
  redirectUris: [...client.redirectUris],
  grants: grantNames.filter((one) => client.grantTypes.includes(grantTypes[one])),
  scopes: [...client.scopes],
  hasSecret: secretDigest !== null,
  createdAt: new Date(client.createdAt).toISOString(),
});
