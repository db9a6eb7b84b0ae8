export { createHttp } from "./server/app.ts";
export type { Http, HttpOptions } from "./server/app.ts";
export { routes } from "./routes.ts";
export type { InputKind, ResponseKind, Route, TokenSource } from "./routes.ts";
export { serveHttp } from "./server/serve.ts";
export type { ServeOptions, Serving } from "./server/serve.ts";
export { statusOf } from "./status.ts";
export type { UserPages } from "./pages/user-pages.ts";
