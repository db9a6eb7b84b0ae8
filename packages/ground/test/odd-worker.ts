import { parentPort, threadId } from "node:worker_threads";

/** A worker that does as requested: `throw`, `exit`, `hang`, or otherwise echo. */
parentPort?.on("message", (request: string) => {
  if (request === "throw") throw new Error("told to");
  if (request === "exit") process.exit(7);
  if (request === "hang") for (;;);
  parentPort?.postMessage(`${request} from ${threadId}`);
});
