import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { teleprinterContract } from "@telex/core/contract";
import { costBudget, costShare, cpuTimeOf, mostTimesPlain } from "@telex/conformance";
import { parseJson } from "@telex/core/transport";
import { expect, it } from "vitest";
import { withHttpLimits } from "../src/limits.ts";
import { createOpenAiEndpoints } from "../src/openai/endpoints.ts";
import { type Endpoint, endpointsOf } from "../src/endpoints/operations.ts";
import { createRoutes } from "../src/server/app.ts";
import { createReplies } from "../src/replies/replies.ts";
import { type ExpensiveRequest, expensiveHeads, expensiveRequests, filled } from "./cost-inputs.ts";
import { closeAfterTest, setup, type Setup, teleprinter } from "./setup.ts";

const plain = '{"deviceId":"kitchen-printer","content":"The kettle is on."}';

/** Microseconds of CPU for each byte of a plain request that is read and checked, without the other costs of a call. */
async function plainTime(): Promise<number> {
  const calls = 2000;
  const time = await cpuTimeOf(() => {
    for (let call = 0; call < calls; call += 1) teleprinterContract.send.input.parse(parseJson(plain));
  }, 20);
  return time / calls / plain.length;
}

/** Sends a request and reads the answer to its end. */
async function send({ http, url, alice }: Setup, method: string, request: Omit<ExpensiveRequest, "name" | "bytes">) {
  const headers = { authorization: `Bearer ${alice.token}`, ...request.headers };
  const { body = null } = request;
  const answer = await http.fetch(new Request(`${url}${request.path}`, { method, headers, body }));
  expect([request.path.slice(0, 200), answer.status < 500]).toEqual([request.path.slice(0, 200), true]);
  await answer.arrayBuffer();
}

/** The served paths that are not operations. */
async function openEverything() {
  const directory = await mkdtemp(join(tmpdir(), "telex-pages-"));
  closeAfterTest(() => rm(directory, { recursive: true }));
  await writeFile(join(directory, "index.html"), "<!doctype html>");
  const pages = { directory, fallback: "index.html", immutable: "a/", contentSecurityPolicy: "", isPage: () => true };
  const documents = { "/asyncapi.json": () => ({ asyncapi: "3.1.0" }) };
  const options = { documents, pages: { ...pages, icon: "icon.svg" } };
  const given = await setup("in process", options);
  await given.post(`${teleprinter}/register`, { deviceId: "kitchen-printer", name: "n" }, given.alice.token);
  return { given, served: createRoutes(withHttpLimits(given.telex), options).added };
}

async function assertCheap(
  given: Setup,
  method: string,
  path: string,
  { perByte, requests }: { readonly perByte: number; readonly requests: Iterable<ExpensiveRequest> },
): Promise<void> {
  const empty = method === "GET" || method === "DELETE" ? {} : { body: "{}" };
  const bareRequest = { path: filled(path), headers: { "content-type": "application/json" }, ...empty };
  const bare = await cpuTimeOf(() => send(given, method, bareRequest), 10);
  for (const request of requests) {
    const share = await costShare(() => send(given, method, request), bare + costBudget(request.bytes, perByte));
    const where = `${method} ${path}, ${request.name}`;
    expect([where, share > 1 ? share : "below 1"]).toEqual([where, "below 1"]);
  }
}

const endpointsBy = (given: Setup): readonly Endpoint[] => {
  const telex = withHttpLimits(given.telex);
  return [...endpointsOf(telex, createReplies(telex)), ...createOpenAiEndpoints(telex)];
};

it("no legal request costs more than 20 times as much as plain ones, byte for byte, and no page more than 20 of health", async () => {
  const { given, served } = await openEverything();
  const perByte = await plainTime();
  const endpoints = endpointsBy(given);
  for (const endpoint of endpoints) {
    const { method, path } = endpoint.route;
    const requests = expensiveRequests(endpoint, given.http.limits.bodySize);
    await assertCheap(given, method, path, { perByte, requests });
  }
  // The router has all paths, so that a new page is among them.
  const known = new Set(endpoints.map(({ route }) => route.path));
  const others = [...served].filter((path) => !known.has(path));
  expect(others).toEqual(
    expect.arrayContaining(["/openapi.json", "/asyncapi.json", "/reference", "/healthz", "/user/**"]),
  );
  expect([...known].filter((path) => !served.has(path))).toEqual([]);
  const health = await cpuTimeOf(() => send(given, "GET", { path: "/healthz" }), 50);
  for (const path of others) {
    const page = { path: filled(path), headers: { "accept-encoding": "gzip" } };
    await send(given, "GET", page);
    const share = await costShare(() => send(given, "GET", page), mostTimesPlain * health);
    expect([path, share > 1 ? share : "below 1"]).toEqual([path, "below 1"]);
    await assertCheap(given, "GET", path, { perByte, requests: expensiveHeads(path) });
  }
});
