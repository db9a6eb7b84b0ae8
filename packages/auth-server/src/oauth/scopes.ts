/** Scopes that applications can be registered for. Applications never get `admin`. */
export const oauthScopes = ["openid", "profile", "chat", "device"] as const;

/** A scope for one device. */
type DeviceScope = `device:${string}`;

/** A scope that a person can give to an application: one that it is registered for, or a single device. */
export type OAuthScope = (typeof oauthScopes)[number] | DeviceScope;

/** Devices that one request can name. Further ones are left out, like scopes that no user can grant. */
const mostDevices = 20;

const ofDevice = /^device:[A-Za-z0-9_-]{1,64}$/;

/** True for a scope for one device. */
export const isDeviceScope = (scope: string): scope is DeviceScope => ofDevice.test(scope);

const isOAuthScope = (scope: string): scope is OAuthScope =>
  oauthScopes.some((one) => one === scope) || isDeviceScope(scope);

/** The id of the device that a scope is for. */
export const deviceOf = (scope: DeviceScope): string => scope.slice("device:".length);

/** The scopes of OAuth in a list that spaces separate. */
export function scopesOf(list: unknown): readonly OAuthScope[] {
  const all = typeof list === "string" ? [...new Set(list.split(" "))].filter(isOAuthScope) : [];
  const devices = all.filter(isDeviceScope);
  return [...all.filter((scope) => !isDeviceScope(scope)), ...devices.slice(0, mostDevices)];
}

/** The scopes of a request that the application is registered for. An application for all devices may ask for a single one. */
export const grantableScopes = (requested: unknown, allowed: readonly string[]): readonly OAuthScope[] =>
  scopesOf(requested).filter((scope) => allowed.includes(isDeviceScope(scope) ? "device" : scope));

/** The scopes that open calls of Telex: all but `openid`, which is for the provider itself. */
export const apiScopes = (scopes: readonly OAuthScope[]): readonly OAuthScope[] =>
  scopes.filter((scope) => scope !== "openid");
