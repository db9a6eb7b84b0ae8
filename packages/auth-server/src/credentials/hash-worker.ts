import { readlinkSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { hashSync, verifySync } from "@node-rs/argon2";
import type { HashRequest } from "./hashing.ts";

/** Argon2id, which has the number 2, with the first choice of OWASP. Memory is in KiB. */
const parameters = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * Gives this thread a lower priority than the others: a hash takes milliseconds, for which the thread of the event loop would otherwise wait
 * if both share a processor. The lowest priority would leave a hash 1/70 of a processor that other programs use. Only Linux has priorities of
 * threads.
 */
function stepBack(): void {
  try {
    const [processId, , threadId] = readlinkSync("/proc/thread-self").split("/");
    // Another number is that of another namespace, where it may be another program.
    if (Number(processId) !== process.pid) return;
    const { PRIORITY_BELOW_NORMAL: less, PRIORITY_LOW: least } = constants.priority;
    setPriority(Number(threadId), Math.min(least, getPriority() + less));
  } catch {
    // Other systems have no /proc, and hash with the priority of the process.
  }
}

stepBack();
parentPort?.on("message", ({ stored, password }: HashRequest) => {
  parentPort?.postMessage(stored === null ? hashSync(password, parameters) : verifySync(stored, password));
});
