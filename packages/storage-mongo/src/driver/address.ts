import { MongoStorageError } from "./errors.ts";

const groups = /^mongodb(?:\+srv)?:\/\/(?:(?<user>[^@\/]*)@)?(?<hosts>[^\/?]+)(?:\/(?<name>[^?]*))?(?<options>\?.*)?$/v;

const partOf = (url: string, part: "user" | "hosts" | "name" | "options"): string | null =>
  groups.exec(url)?.groups?.[part] || null;

const nameIn = (url: string): string | null => {
  const name = partOf(url, "name");
  return name === null ? null : decodeURIComponent(name);
};

/** The name of the database in the path of an address, or the default. */
export const databaseOf = (url: string): string => nameIn(url) ?? "telex";

/** The hosts of an address, without the user and the password. */
export const hostsOf = (url: string): string => partOf(url, "hosts") ?? "the given address";

/** True if the address names a user. */
export const hasUser = (url: string): boolean => partOf(url, "user") !== null;

/** The database in which the user of an address is looked up. */
export const userDatabaseOf = (url: string): string =>
  new URLSearchParams(partOf(url, "options") ?? "").get("authSource") ?? nameIn(url) ?? "admin";

/** The driver's message about an unknown option. Its other messages may quote the address. */
const unknownOption = /^options? .+ (?:is|are) not supported$/v;

/** The error for an address that the driver refuses. The driver's error is not its cause, because it may quote the password. */
export function invalidUrl(refusal?: unknown): MongoStorageError {
  const reason = refusal instanceof Error && unknownOption.test(refusal.message) ? ` (${refusal.message})` : "";
  const message =
    `The address of the database is not valid${reason}. It has the form mongodb://user:password@host:27017/telex?replicaSet=rs0; ` +
    "in the user and the password, the characters @ : / are written as %40 %3A %2F.";
  return new MongoStorageError("invalid_url", message);
}

/**
 * An unescaped slash in a password would end the hosts: the rest of the password would become the name of the database.
 * @throws MongoStorageError `invalid_url`
 */
export function assertEscaped(url: string): void {
  if (/@/v.test(partOf(url, "name") ?? "")) throw invalidUrl();
}
