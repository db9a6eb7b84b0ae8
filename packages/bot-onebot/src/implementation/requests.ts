import type { IncomingMessage, ServerResponse } from "node:http";
import type { TokenHolder } from "@telex/core";
import type { BotFaults } from "../account/faults.ts";
import { readRequest } from "../link/http-body.ts";
import { readJson } from "../wire/frames.ts";
import { admit, type AdmissionDeps, readWanted, refusalOf, type Wanted } from "./admission.ts";
import type { Actor } from "./context.ts";
import { act, answerFrame } from "./dispatch.ts";
import { frameOf } from "./results.ts";
import { tongues } from "./tongues.ts";

/** Bytes of a body: pictures come as base64. */
const bodySize = 16 * 2 ** 20;

/** A request that is refused by its status. */
class Refusal extends Error {
  readonly status: number;

  constructor(status: number) {
    super(String(status));
    this.status = status;
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const text = await readRequest(request, bodySize);
  if (text === null) throw new Refusal(413);
  return text;
}

const typeOf = ({ headers }: IncomingMessage): string =>
  (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";

/** The parameters in a body: JSON or a form; an empty body has none. */
async function readParams(request: IncomingMessage): Promise<unknown> {
  const type = typeOf(request);
  const text = await readBody(request);
  if (text === "") return {};
  if (type === "application/x-www-form-urlencoded") return Object.fromEntries(new URLSearchParams(text));
  if (type !== "application/json" && type !== "") throw new Refusal(406);
  const value = readJson(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Refusal(400);
  return value;
}

/** What answering requests needs. */
interface RequestsDeps extends AdmissionDeps {
  readonly faults: BotFaults;
  readonly basePath: string;
  readonly actorOf: (holder: TokenHolder, wanted: Wanted) => Actor;
}

/** A token that has ended while a body arrived changes nothing, and one that has ended since then gets no answer. */
async function assertCurrent({ telex }: RequestsDeps, { token, version }: Wanted): Promise<void> {
  const caller = await telex.authenticate(token);
  if (caller.kind !== "token") throw new Refusal(version === 12 ? 401 : 403);
}

async function doAction(deps: RequestsDeps, request: IncomingMessage, wanted: Wanted, actor: Actor): Promise<string> {
  if (wanted.version === 12) {
    if (wanted.rest !== "") throw new Refusal(404);
    if (typeOf(request) !== "application/json") throw new Refusal(415);
    const text = await readBody(request);
    await assertCurrent(deps, wanted);
    return answerFrame(actor, text, deps);
  }
  const action = wanted.rest.replace(/_(async|rate_limited)$/, "");
  if (!tongues[11].actions.has(action)) throw new Refusal(404);
  const params = await readParams(request);
  await assertCurrent(deps, wanted);
  const result = await act(actor, { action: wanted.rest, params }, deps);
  return JSON.stringify(frameOf(11, result, undefined));
}

async function answer(deps: RequestsDeps, request: IncomingMessage, wanted: Wanted): Promise<string> {
  if (request.method !== "POST") throw new Refusal(405);
  const admission = await admit(deps, request, wanted);
  if ("status" in admission) throw new Refusal(admission.status);
  const actor = deps.actorOf(admission.holder, wanted);
  const leave = actor.inProgress.take(String(actor.holder.userId));
  if (leave === null) throw new Refusal(429);
  try {
    const body = await doAction(deps, request, wanted, actor);
    await assertCurrent(deps, wanted);
    return body;
  } finally {
    leave();
  }
}

/** Answers the requests of frameworks: `POST .../v11/<action>` and `POST .../v12`. */
export function createRequests(deps: RequestsDeps) {
  const write = (response: ServerResponse, status: number, body: string): void => {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const more = {
      ...(status === 401 && { "www-authenticate": 'Bearer realm="onebot"' }),
      ...(status === 405 && { allow: "POST" }),
      ...(status === 413 && { connection: "close" }),
    };
    response.writeHead(status, body === "" ? { ...more, "content-length": 0 } : { ...headers, ...more }).end(body);
  };
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const wanted = readWanted(request, deps.basePath);
    if (wanted === null) return false;
    answer(deps, request, wanted).then(
      (body) => write(response, 200, body),
      (cause: unknown) => {
        if (response.destroyed) return;
        // What is not read would hold up the next request of the connection.
        request.resume();
        if (cause instanceof Refusal) {
          deps.faults.tell("", ...refusalOf(cause.status, wanted));
          return write(response, cause.status, "");
        }
        deps.telex.log.error("onebot.request_failed", {}, cause);
        return write(response, 500, "");
      },
    );
    return true;
  };
}
