const hidden = "********";

/** A secret as it is shown. */
export const maskAll = (shown: string): string => (shown === "" ? "" : hidden);

const secretName = /^(.*[_-])?(key|token|secret|signature|sig|password|passwd|pwd|auth)$/i;

/** An address without the password and the keys that it may carry. A user without a password may be a key. */
export function maskUrl(shown: string): string {
  return shown
    .replace(/\/\/([^/?#@:]*)(:?)([^/?#]*)@/, (_whole, user: string, colon: string, password: string) =>
      colon === "" || password === "" ? `//${hidden}@` : `//${user}:${hidden}@`,
    )
    .replaceAll(/([?&])([^=&#]+)=([^&#]*)/g, (whole, start: string, name: string) =>
      secretName.test(name) ? `${start}${name}=${hidden}` : whole,
    );
}

/** The address that Telex connects to as it is shown, or null. */
export const shownConnect = (connect: string | null): string | null => (connect === null ? null : maskUrl(connect));
