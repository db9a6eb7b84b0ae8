import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { cleanEnvironment } from "test-support/command";

/** A system call that matters here, in the order of the trace. */
export type Event =
  /** Bytes were read from a socket, or written to one or to stdout. */
  | { readonly kind: "received" | "answered"; readonly text: string }
  /**
   * A file was written, or a name was added to a folder. A sync covers what was written or named before it began; another thread may write
   * before it ends.
   */
  | { readonly kind: "written" | "named" | "syncing" | "synced"; readonly path: string };

const calls = [
  "read",
  "write",
  "writev",
  "sendto",
  "sendmsg",
  "pwrite64",
  "pwritev",
  "fsync",
  "fdatasync",
  "rename",
  "mkdir",
];

/** The arguments of strace: all threads, descriptors with their paths, texts of this length. */
export const tracing = (file: string): readonly string[] => [
  "-f",
  "-y",
  "-s",
  "2000",
  "-e",
  `trace=${calls.join()}`,
  "-o",
  file,
];

/** A call. If another thread interrupted it, it begins in one line and ends in another. */
interface Call {
  readonly text: string;
  readonly begins: boolean;
  readonly ends: boolean;
}

function* callsOf(text: string): Generator<Call> {
  const begun = new Map<string, string>();
  for (const line of text.split("\n")) {
    const [, pid = "", rest = ""] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const [, name = "", end] = /^<\.\.\. (\w+) resumed>(.*)$/.exec(rest) ?? [];
    if (rest.endsWith("<unfinished ...>")) {
      const start = rest.slice(0, -"<unfinished ...>".length);
      begun.set(`${pid} ${/^\w+/.exec(start)?.[0] ?? ""}`, start);
      yield { text: `${start})`, begins: true, ends: false };
    } else if (end === undefined) yield { text: rest, begins: true, ends: true };
    else yield { text: (begun.get(`${pid} ${name}`) ?? "") + end, begins: false, ends: true };
  }
}

const isData = (path: string): boolean => !/-shm$|\.lock(-journal)?$/.test(path);

function* toEvents({ text, begins, ends }: Call): Generator<Event> {
  const [, name = "", descriptor = "", target = ""] = /^(\w+)\((\d*)<?([^>]*)>?/.exec(text) ?? [];
  if (/= -1 /.test(text)) return;
  const isSocket = target.startsWith("socket:") || target.startsWith("TCP");
  // Written bytes count as sent when the call begins.
  if (/^(write|writev|sendto|sendmsg)$/.test(name) && (isSocket || descriptor === "1")) {
    if (begins) yield { kind: "answered", text };
    return;
  }
  if (name.endsWith("sync") && begins) yield { kind: "syncing", path: target };
  if (!ends) return;
  if (name === "read" && isSocket) yield { kind: "received", text };
  if (/write/.test(name) && target.startsWith("/") && isData(target)) yield { kind: "written", path: target };
  if (name.endsWith("sync")) yield { kind: "synced", path: target };
  const [, made = ""] = /^mkdir\("([^"]+)"/.exec(text) ?? [];
  const [, renamed = ""] = /^rename\("[^"]+", "([^"]+)"/.exec(text) ?? [];
  for (const path of [made, renamed]) if (path !== "") yield { kind: "named", path: dirname(path) };
}

/** The events of a trace. */
export const readTrace = (file: string): readonly Event[] =>
  [...callsOf(readFileSync(file, "utf8"))].flatMap((call) => [...toEvents(call)]);

/**
 * The paths below a folder that were written or named before the `index`th event and not synced by then. The search begins at `after`.
 */
export function unsynced(events: readonly Event[], folder: string, after: number, index: number): readonly string[] {
  const dirty = new Set<string>();
  const leaving = new Set<string>();
  for (const event of events.slice(after, index)) {
    if (event.kind === "syncing" && dirty.delete(event.path)) leaving.add(event.path);
    else if (event.kind === "synced") leaving.delete(event.path);
    else if ((event.kind === "written" || event.kind === "named") && event.path.startsWith(folder))
      dirty.add(event.path);
  }
  return [...dirty, ...leaving];
}

/** Runs a program under strace to its end. */
export async function runTraced(file: string, program: string, args: readonly string[]): Promise<string> {
  const env = cleanEnvironment();
  const child = spawn("strace", [...tracing(file), program, ...args], { env, stdio: ["ignore", "pipe", "inherit"] });
  const printed: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => printed.push(chunk));
  await once(child, "close");
  return Buffer.concat(printed).toString();
}
