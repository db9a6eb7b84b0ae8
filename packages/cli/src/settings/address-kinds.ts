import { type Kind, textOf, folder, integer, toggle, list } from "./kind.ts";

/** The place of records. The part after the scheme is checked when the storage is opened. */
export const storagePlace: Kind<string> = {
  expected: "memory: or sqlite:<file> or mongodb://<host>/<database> or mongodb+srv://<host>/<database>",
  placeholder: "<url>",
  parse(raw) {
    const place = textOf(raw) ?? "";
    return /^(memory|sqlite|mongodb(\+srv)?):/.test(place) ? place : undefined;
  },
  show: (value) => value,
};

/** A bucket: the endpoint, the bucket, the prefix and the region. */
export const bucketPlace = /^s3:(https?:\/\/[^/?#@\s]+)\/([^/?#@\s]+)(?:\/([^?#\s]*))?(?:\?region=([\w-]+))?$/;

/** A driver of unstorage, with its options as a query. */
export const unstoragePlace = /^unstorage:([a-z][a-z\d-]*)(?:\?([^?#\s]+))?$/;

/** A folder, a bucket, or a driver of unstorage. */
export const blobPlace: Kind<string> = {
  expected:
    "a folder, a bucket such as s3:https://s3.example.org/bucket, or a driver such as unstorage:redis?url=redis://127.0.0.1",
  placeholder: "<folder>",
  parse(raw) {
    const place = textOf(raw) ?? "";
    return bucketPlace.test(place) || unstoragePlace.test(place) ? place : folder.parse(place);
  },
  show: (value) => value,
};

/** The number of proxies in front of the server. `off` is 0, `on` is 1. */
export const proxies: Kind<number> = {
  expected: "off, on, or a whole number from 0 to 16",
  placeholder: "<off|on|n>",
  parse(raw) {
    const switched = toggle.parse(raw);
    return switched === undefined ? integer(0, 16).parse(raw) : Number(switched);
  },
  show: (value) => (value === 0 ? "off" : String(value)),
};

/** Without `node:net`, which would slow down the start of each command. */
const isIPv6 = (name: string): boolean =>
  /^[\dA-Fa-f:.]+(?:%[\w.-]+)?$/.test(name) && URL.canParse(`http://[${name.replace(/%.*/, "")}]`);

/** An IP address or a host name that a server listens on. */
export const host: Kind<string> = {
  expected: "an IP address or a host name, without a port",
  placeholder: "<address>",
  parse(raw) {
    const name = textOf(raw) ?? "";
    return isIPv6(name) || /^[A-Za-z0-9]([\w.-]*\w)?$/.test(name) ? name : undefined;
  },
  show: (value) => value,
};

/** An address at which people reach the operator. */
export const contact: Kind<string> = {
  expected: "an address that begins with mailto: or https:",
  placeholder: "<address>",
  parse(raw) {
    const address = textOf(raw) ?? "";
    const isKnown = ["mailto:", "https:"].includes(URL.parse(address)?.protocol ?? "");
    return isKnown && !/\s/.test(address) ? address : undefined;
  },
  show: (value) => value,
};

/** An address with one of these schemes, without the slash at its end, because paths are appended to it. */
export const url = (...schemes: readonly string[]): Kind<string> => ({
  expected: `an address that begins with ${schemes.map((scheme) => `${scheme}//`).join(" or ")}, without ? and #`,
  placeholder: "<url>",
  parse(raw) {
    const address = URL.parse(textOf(raw) ?? "");
    const fits = address !== null && schemes.includes(address.protocol) && !/[?#]/.test(address.href);
    return fits ? textOf(raw)?.replace(/\/+$/, "") : undefined;
  },
  show: (value) => value,
});

/** The address of an image with the placeholder `{id}`, and optionally `{size}`. */
export const template: Kind<string> = {
  expected: "an http(s) address with {id} in it, such as https://avatars.example/{id}?s={size}",
  placeholder: "<template>",
  parse(raw) {
    const written = textOf(raw) ?? "";
    const address = URL.parse(written.replaceAll(/\{(id|size)\}/g, "1"));
    const fits = address !== null && /^https?:$/.test(address.protocol) && written.includes("{id}");
    return fits ? written : undefined;
  },
  show: (value) => value,
};

const originsAsWritten = list("origins such as https://app.example, or * alone", /^(\*|https?:\/\/[^\s*]+)$/);

/** Exact origins of pages, separated by commas, or only `*`. A file may contain an array. */
export const origins: Kind<readonly string[]> = {
  ...originsAsWritten,
  parse(raw) {
    const words = originsAsWritten.parse(raw);
    const isWhole = words?.every((word) => word === "*" || URL.parse(word)?.origin === word) ?? false;
    return isWhole && !(words?.includes("*") === true && words.length > 1) ? words : undefined;
  },
};
