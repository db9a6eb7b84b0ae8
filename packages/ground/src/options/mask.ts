const hidden = "********";

/** Masks a secret completely. */
export const maskAll = (shown: string): string => (shown === "" ? "" : hidden);

const secretWord = "key|token|secret|signature|sig|password|passwd|pwd|pass|auth";
/** A separate word, or the last word as in `api_key` and `access-token`. */
const secretName = new RegExp(`^(.*[_-]|api|access|secret)?(${secretWord})$`, "i");
/** The last word as in `tlsCertificateKeyFilePassword`. MongoDB also accepts secrets in a list of properties. */
const secretEnd = /(?:[a-z](?:Key|Token|Secret|Signature|Password)|^authMechanismProperties)$/;

const isSecret = (name: string): boolean => secretName.test(name) || secretEnd.test(name);

/** Masks the password and the keys in an address. A user without a password may be a key. */
export const maskUrl = (shown: string): string =>
  shown
    .replace(/\/\/([^/?#@:]*)(:?)([^/?#]*)@/, (_whole, user: string, colon: string, password: string) =>
      colon === "" || password === "" ? `//${hidden}@` : `//${user}:${hidden}@`,
    )
    .replaceAll(/([?&])([^=&#]+)=([^&#]*)/g, (whole, start: string, name: string) =>
      isSecret(name) ? `${start}${name}=${hidden}` : whole,
    );

/** The address that Telex connects to, masked, or null. */
export const shownConnect = (connect: string | null): string | null => (connect === null ? null : maskUrl(connect));
