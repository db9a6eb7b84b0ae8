import { Worker } from "node:worker_threads";
import { createSemaphore } from "../concurrency/semaphore.ts";
import { TelexError } from "../errors/errors.ts";

/** Threads that each handle one request at a time. They are started when needed, and idle ones do not keep a process alive. */
export interface WorkerPool {
  /**
   * Resolves with the response of the worker to `request`.
   * @param given buffers of the request that are transferred to the worker, and are empty here afterwards
   * @throws TelexError `busy` if too many requests are waiting, `failure` of the options if it took too long or the worker crashed (the next
   * request gets a new worker), `shutting_down` if the pool was closed
   */
  run(request: unknown, given?: readonly ArrayBuffer[]): Promise<unknown>;
  /** Ends every thread. */
  close(): Promise<void>;
}

interface PoolOptions {
  /** Maximum threads that run simultaneously. */
  readonly size: number;
  /** Maximum requests that wait for a thread. Default: any number. */
  readonly waiting?: number;
  /** Milliseconds for one request, after which its thread is ended. */
  readonly time: number;
  /** Milliseconds after which an idle thread is ended. Default: never. */
  readonly idle?: number;
  /** The error of a request that took too long, or whose thread crashed. */
  readonly failure: (kind: "late" | "broken", cause: Error) => TelexError;
}

/** @param entry the module that each thread runs. It responds to every message with one message */
export function createWorkerPool(entry: URL, options: PoolOptions): WorkerPool {
  const slots = createSemaphore(options.size, options.waiting ?? Number.POSITIVE_INFINITY);
  const threads = createThreads(entry, options.idle);
  let closed = false;
  return {
    async run(request, transfer = []) {
      const leave = await slots.enter(1);
      if (closed) throw new TelexError("shutting_down");
      const worker = threads.take();
      try {
        const answer = await ask(worker, { request, given: transfer }, options);
        threads.rest(worker);
        leave();
        return answer;
      } catch (error) {
        // Native work outlives the code of its thread, so the slot is only free when the thread has exited.
        worker.terminate().then(leave, leave);
        throw closed ? new TelexError("shutting_down") : error;
      }
    },
    async close() {
      closed = true;
      slots.close();
      await threads.endAll();
    },
  };
}

/** All threads of a pool. */
interface Threads {
  /** An idle thread, or a new one. */
  take(): Worker;
  /** Marks a thread as idle. */
  rest(worker: Worker): void;
  /** Ends all threads. */
  endAll(): Promise<void>;
}

function createThreads(entry: URL, time: number | undefined): Threads {
  const all = new Set<Worker>();
  const idle = new Map<Worker, NodeJS.Timeout | null>();
  const start = (): Worker => {
    // Without the flags of the process: they are for its main program, and some prevent a worker from starting.
    const worker = new Worker(entry, { execArgv: [] });
    all.add(worker);
    worker.on("error", () => idle.delete(worker));
    worker.once("exit", () => {
      all.delete(worker);
      idle.delete(worker);
    });
    return worker;
  };
  const end = (worker: Worker): void => {
    idle.delete(worker);
    void worker.terminate();
  };
  return {
    take() {
      const [worker = start()] = idle.keys();
      clearTimeout(idle.get(worker) ?? undefined);
      idle.delete(worker);
      worker.ref();
      return worker;
    },
    rest(worker) {
      worker.unref();
      idle.set(worker, time === undefined ? null : setTimeout(end, time, worker).unref());
    },
    async endAll() {
      await Promise.all([...all].map(async (worker) => await worker.terminate()));
    },
  };
}

interface WorkerRequest {
  readonly request: unknown;
  readonly given: readonly ArrayBuffer[];
}

async function ask(
  worker: Worker,
  { request, given }: WorkerRequest,
  { time, failure }: PoolOptions,
): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const late = (): void => reject(failure("late", new Error(`no answer in ${time} ms`)));
  const broken = (error: Error): void => reject(failure("broken", error));
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
