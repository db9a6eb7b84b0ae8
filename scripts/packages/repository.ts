import { posix } from "node:path";

/** The fields of a manifest that name its repository. */
export interface Origin {
  readonly repository?: { readonly type: "git"; readonly url: string; readonly directory: string };
  readonly homepage?: string;
  readonly bugs?: string;
}

/**
 * The repository fields for the manifest of a package. They follow the root manifest: without its `repository`, no package has one.
 *
 * @param url The address of the repository as a browser opens it, or null if the root manifest names none.
 * @param directory The folder of the package, from the root.
 */
export const originOf = (url: string | null, directory: string): Origin =>
  url === null
    ? {}
    : {
        repository: { type: "git", url: `git+${url}.git`, directory: posix.normalize(directory) },
        homepage: `${url}#readme`,
        bugs: `${url}/issues`,
      };
