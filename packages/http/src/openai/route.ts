import type { Route } from "../routes.ts";

/** The route of a path of the interface of OpenAI: the token is in the header. */
export const openAiRoute = (path: string): Route => ({
  method: "POST",
  path,
  token: "header",
  input: "json",
  response: "envelope",
});
