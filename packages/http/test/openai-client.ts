import OpenAI from "openai";
import type { Setup } from "./setup.ts";

/** The official client of OpenAI for an instance. */
export const clientOf = ({ url, http, alice }: Setup, apiKey = alice.token): OpenAI =>
  new OpenAI({
    apiKey,
    baseURL: `${url}/v1`,
    maxRetries: 0,
    ...(url.endsWith(".test")
      ? { fetch: (target: string | URL | Request, init?: RequestInit) => http.fetch(new Request(target, init)) }
      : {}),
  });
