import { Worker } from "node:worker_threads";
import { createSemaphore, TelexError } from "@telex/core/images";

/** Threads that each do one thing at a time, started when first needed; idle ones keep no process alive. */
export interface WorkerPool {
  /**
   * Resolves to the answer of the worker to `request`.
   * @param given buffers of the request that go over to the worker, and are empty here afterwards
   * @throws TelexError `unreadable_image` when it took too long, `internal` when the worker broke down (the next request
   * gets a new one), `shutting_down` when the pool was closed
   */
  run(request: unknown, given?: readonly ArrayBuffer[]): Promise<unknown>;
  /** Ends every thread. */
  close(): Promise<void>;
}

/**
 * @param entry the module that each thread runs; it answers every message with one message
 * @param size the most threads that run simultaneously
 * @param time milliseconds for one request, after which its thread is ended
 */
export function createWorkerPool(entry: URL, size: number, time: number): WorkerPool {
  const places = createSemaphore(size, Number.POSITIVE_INFINITY);
  const staff = createStaff(entry);
  let closed = false;
  return {
    async run(request, given = []) {
      const leave = await places.enter(1);
      if (closed) throw new TelexError("shutting_down");
      const worker = staff.take();
      try {
        const answer = await ask(worker, { request, given, time });
        staff.rest(worker);
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
      await staff.dismiss();
    },
  };
}

/** The threads that there are. */
interface Staff {
  /** An idle thread, or a new one. */
  take(): Worker;
  /** Tells that a thread is idle. */
  rest(worker: Worker): void;
  /** Ends all threads. */
  dismiss(): Promise<void>;
}

function createStaff(entry: URL): Staff {
  const all = new Set<Worker>();
  const idle = new Set<Worker>();
  const start = (): Worker => {
    // The flags of the process are for its main program: some of them keep a worker from starting.
    const worker = new Worker(entry, { execArgv: [] });
    all.add(worker);
    worker.on("error", () => idle.delete(worker));
    worker.once("exit", () => {
      all.delete(worker);
      idle.delete(worker);
    });
    return worker;
  };
  return {
    take() {
      const [worker = start()] = idle;
      idle.delete(worker);
      worker.ref();
      return worker;
    },
    rest(worker) {
      worker.unref();
      idle.add(worker);
    },
    async dismiss() {
      await Promise.all([...all].map(async (worker) => await worker.terminate()));
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
