const hidden = "********";

/** A secret as it is shown. */
export const maskAll = (shown: string): string => (shown === "" ? "" : hidden);

const secretName = /^(.*[_-])?(key|token|secret|signature|sig|password|passwd|pwd|auth)$/i;

/** An address without the password and the keys that it may carry. */
export function maskUrl(shown: string): string {
  return shown
    .replace(/(\/\/[^/?#@]*:)[^/?#]*@/, `$1${hidden}@`)
    .replaceAll(/([?&])([^=&#]+)=([^&#]*)/g, (whole, start: string, name: string) =>
      secretName.test(name) ? `${start}${name}=${hidden}` : whole,
    );
}
