import { createHttp, serveHttp } from "@telex/http";
import { type Client, createClient } from "@telex/http/client";
import type { Person } from "@telex/conformance/testing";
import { onTestFinished } from "vitest";
import { type Running, startTelex, type StartOptions } from "./harness.ts";

/** An instance with its sockets, and over HTTP. */
export interface Both extends Running {
  /** HTTP with the token of this user. */
  readonly http: (person: Person) => Client;
  /** The address of HTTP. */
  readonly httpUrl: string;
}

/** Starts Telex with its sockets and HTTP, each on its own port, until the end of the test. */
export async function startBoth(options: StartOptions = {}): Promise<Both> {
  const running = await startTelex(options);
  const serving = await serveHttp(createHttp(running.telex), { port: 0 });
  onTestFinished(() => serving.close(0));
  return {
    ...running,
    http: ({ token }) => createClient({ url: serving.url, token, language: "en" }),
    httpUrl: serving.url,
  };
}
