const hidden = "********";

/** A secret as it is shown. */
export const maskAll = (shown: string): string => (shown === "" ? "" : hidden);

const secretWord = "key|token|secret|signature|sig|password|passwd|pwd|pass|auth";
/** A word of its own, or the last one of `api_key` and `access-token`. */
const secretName = new RegExp(`^(.*[_-]|api|access|secret)?(${secretWord})$`, "i");
/** The last word of `tlsCertificateKeyFilePassword`; MongoDB also takes secrets in a list of properties. */
const secretEnd = /(?:[a-z](?:Key|Token|Secret|Signature|Password)|^authMechanismProperties)$/;

const isSecret = (name: string): boolean => secretName.test(name) || secretEnd.test(name);

/** An address without the password and the keys that it may carry. A user without a password may be a key. */
export const maskUrl = (shown: string): string =>
  shown
    .replace(/\/\/([^/?#@:]*)(:?)([^/?#]*)@/, (_whole, user: string, colon: string, password: string) =>
      colon === "" || password === "" ? `//${hidden}@` : `//${user}:${hidden}@`,
    )
    .replaceAll(/([?&])([^=&#]+)=([^&#]*)/g, (whole, start: string, name: string) =>
      isSecret(name) ? `${start}${name}=${hidden}` : whole,
    );

/** The address that Telex connects to as it is shown, or null. */
export const shownConnect = (connect: string | null): string | null => (connect === null ? null : maskUrl(connect));
