import { parentPort, threadId } from "node:worker_threads";

/** A worker that obeys its request: `echo`, `throw`, `exit` or `hang`. */
parentPort?.on("message", (request: string) => {
  if (request === "throw") throw new Error("told to");
  if (request === "exit") process.exit(7);
  if (request === "hang") for (;;);
  parentPort?.postMessage(`${request} from ${threadId}`);
});
