import { Worker } from "node:worker_threads";
import { TelexError } from "../errors.ts";
import { createSemaphore } from "./semaphore.ts";

/** Threads that each do one thing at a time, started when first needed; idle ones keep no process alive. */
export interface WorkerPool {
  /**
   * What the worker answered to `request`.
   * @param given buffers of the request that go over to the worker, and are empty here from then on
   * @throws TelexError `unreadable_image` when it took too long, `internal` when the worker broke down (the next request
   * gets a new one), `shutting_down` when the pool was closed
   */
  run(request: unknown, given?: readonly ArrayBuffer[]): Promise<unknown>;
  /** Ends every thread. */
  close(): Promise<void>;
}

/**
 * @param entry the module that each thread runs; it answers every message with one message
 * @param size the most threads at once
 * @param time milliseconds for one request, after which its thread is ended
 */
export function createWorkerPool(entry: URL, size: number, time: number): WorkerPool {
  const places = createSemaphore(size, Number.POSITIVE_INFINITY);
  const workers = new Set<Worker>();
  const idle = new Set<Worker>();
  let closed = false;

  const start = (): Worker => {
    // The flags of the process are for its main program: some of them keep a worker from starting.
    const worker = new Worker(entry, { execArgv: [] });
    workers.add(worker);
    worker.on("error", () => idle.delete(worker));
    worker.once("exit", () => {
      workers.delete(worker);
      idle.delete(worker);
    });
    return worker;
  };
  const take = (): Worker => {
    const [worker = start()] = idle;
    idle.delete(worker);
    worker.ref();
    return worker;
  };

  return {
    async run(request, given = []) {
      const leave = await places.enter(1);
      if (closed) throw new TelexError("shutting_down");
      const worker = take();
      try {
        const answer = await ask(worker, { request, given, time });
        worker.unref();
        idle.add(worker);
        leave();
        return answer;
      } catch (error) {
        // Native work outlives its thread's code: the place is free only when the thread is gone.
        worker.terminate().then(leave, leave);
        throw closed ? new TelexError("shutting_down") : error;
      }
    },
    async close() {
      closed = true;
      places.close();
      await Promise.all([...workers].map(async (worker) => await worker.terminate()));
    },
  };
}

interface Question {
  readonly request: unknown;
  readonly given: readonly ArrayBuffer[];
  readonly time: number;
}

async function ask(worker: Worker, { request, given, time }: Question): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const late = (): void => reject(new TelexError("unreadable_image", { cause: new Error(`no answer in ${time} ms`) }));
  const broken = (error: unknown): void => reject(new TelexError("internal", { cause: error }));
  const gone = (code: number): void => broken(new Error(`the worker ended with code ${code}`));
  const timer = setTimeout(late, time);
  worker.once("message", resolve).once("error", broken).once("exit", gone);
  try {
    worker.postMessage(request, given);
    return await promise;
  } finally {
    clearTimeout(timer);
    worker.off("message", resolve).off("error", broken).off("exit", gone);
  }
}
