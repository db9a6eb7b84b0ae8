export { createTracing } from "./tracing.ts";
