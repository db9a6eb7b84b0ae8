import { resolve } from "node:path";
import { UsageError } from "../errors/errors.ts";
import { isMongo, withoutUser } from "../storage/mongo.ts";
import { schemeOf } from "../storage/opened.ts";

/** The address of one side, and the place of its files if that does not follow from the address. */
export interface Address {
  readonly url: string;
  readonly data: string | null;
  /** The folder, bucket or driver of its files; null: the folder `blobs` in `data`, or the MongoDB database. */
  readonly blobs: string | null;
}

/** The address of a folder with an export. */
export const exportUrl = (folder: string): string => `export:${resolve(folder)}`;

interface Parts {
  readonly scheme: "sqlite:" | "export:" | "mongodb:";
  /** For a MongoDB database, the address itself. */
  readonly path: string;
}

export function parse({ url }: Address): Parts {
  const scheme = schemeOf(url);
  const rest = url.slice(scheme.length);
  if (isMongo(url)) return { scheme: "mongodb:", path: url };
  if (scheme === "memory:")
    throw new UsageError("memory: exists in one process only, so nothing can be copied from it or to it.");
  if ((scheme !== "sqlite:" && scheme !== "export:") || rest === "") {
    throw new UsageError(`"${url}" must be sqlite:<file>, mongodb://<host>/<database> or export:<folder>.`);
  }
  return { scheme, path: resolve(rest) };
}

/** The address with an absolute path. */
export function nameOf(address: Address): string {
  const { scheme, path } = parse(address);
  return scheme === "mongodb:" ? withoutUser(path) : scheme + path;
}
