export { createHttp } from "./app.ts";
export type { Http, HttpOptions } from "./app.ts";
export { defaultRateLimits } from "./rate-limit.ts";
export type { Rate, RateLimits } from "./rate-limit.ts";
export { routes } from "./routes.ts";
export type { CapabilityName, InputKind, ReplyKind, Route, TokenSource } from "./routes.ts";
export { serveHttp } from "./serve.ts";
export type { ServeOptions, Serving } from "./serve.ts";
export { statusOf } from "./status.ts";
