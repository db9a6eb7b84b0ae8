import { openAsBlob } from "node:fs";
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { Failure } from "../errors/errors.ts";

/**
 * A local file. Its bytes are read while they are sent or stored.
 * @throws Failure `unreadable_file`
 */
export async function openLocal(path: string): Promise<File> {
  const isFile = await stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
  if (!isFile) throw new Failure("unreadable_file", `${path} is not a file that can be read.`);
  return new File([await openAsBlob(path)], basename(path));
}
