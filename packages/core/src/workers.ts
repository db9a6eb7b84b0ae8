export { createWorkerPool } from "@telex/ground/workers";
export type { WorkerPool } from "@telex/ground/workers";
