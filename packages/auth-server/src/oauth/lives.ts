const hour = 3600;
const day = 24 * hour;

/** The seconds after which the access of an application ends. */
interface Lives {
  /** Without use. */
  readonly idle: number;
  /** After the person has agreed. */
  readonly whole: number;
}

/** Lifetimes of the authorization server, in seconds. */
export const oauthLives = {
  code: 60,
  deviceCode: 600,
  access: hour,
  interaction: 1800,
  browser: { idle: 30 * day, whole: 180 * day },
  device: { idle: 90 * day, whole: 365 * day },
} as const;

/** The lifetimes of what was issued with a grant type; those of devices and of the command line are longer. */
export const livesOf = (grantType: string | undefined): Lives =>
  grantType?.includes("device_code") === true ? oauthLives.device : oauthLives.browser;
