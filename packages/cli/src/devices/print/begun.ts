import { mkdir, open, readFile, rename } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { codeOf, Failure } from "../../errors/errors.ts";

/** Remembers across restarts which text was begun last, so that a second copy is marked as one. */
export interface Begun {
  /** True if an earlier run may have printed the text. */
  readonly has: (id: number) => boolean;
  /** Resolves when the disk has the note that the text may have been printed. */
  readonly add: (id: number) => Promise<void>;
}

/** In the state folder of a systemd unit, or of the user. */
function fileOf(deviceId: string): string {
  const { STATE_DIRECTORY: unit = "", XDG_STATE_HOME: own = "" } = process.env;
  const folder = unit === "" ? join(own === "" ? join(homedir(), ".local", "state") : own, "telex") : unit;
  return join(folder, `print-${deviceId}`);
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const handle = await open(`${file}.new`, "w", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${file}.new`, file);
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return "";
    throw new Failure("unreadable_file", `${file} cannot be read (${codeOf(cause)}).`, { cause });
  }
}

/**
 * The texts of a device of a server that were begun.
 * @throws Failure `unreadable_file`
 */
export async function openBegun(url: string, deviceId: string): Promise<Begun> {
  const file = fileOf(deviceId);
  const before = await read(file);
  const lineOf = (id: number): string => `${url} ${id}\n`;
  return {
    has: (id) => before === lineOf(id),
    async add(id) {
      try {
        await write(file, lineOf(id));
      } catch (cause) {
        throw new Error(`${file} cannot be written (${codeOf(cause)})`, { cause });
      }
    },
  };
}
