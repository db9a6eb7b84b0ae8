export { createWorkerPool } from "./worker-pool.ts";
export type { WorkerPool } from "./worker-pool.ts";
