import type { IncomingMessage, ServerResponse } from "node:http";
import type { TokenHolder } from "@telex/core";
import { createSlots } from "@telex/ws/acceptor";
import type { BotFaults } from "../../link/faults.ts";
import { headersOfStatus, readRequest } from "../../link/http-body.ts";
import type { Incoming } from "../../link/incoming.ts";
import { admit, type AdmissionDeps, readWanted, refusalOf, type Wanted } from "./admission.ts";
import type { Actor } from "../context.ts";
import { act, admitText, answerFrame } from "../dispatch.ts";
import { weigh } from "./load.ts";
import { failed, frameOf } from "../results.ts";
import { tongues } from "../tongues.ts";
import { Refusal, type ReadText, typeOf, paramsOf } from "./read-request.ts";

/** Bytes of a body: pictures come as base64. */
const bodySize = 16 * 2 ** 20;

/** Maximum bodies above 1 MiB that one user has in progress. */
const maxLarge = 4;

type Slots = ReturnType<typeof createSlots>;

interface RequestsDeps extends AdmissionDeps {
  readonly faults: BotFaults;
  readonly basePath: string;
  readonly incoming: Incoming;
  readonly actorOf: (holder: TokenHolder, wanted: Wanted) => Actor;
}

/** A token that ends while a body arrives changes nothing, and one that ends later gets no answer. */
async function assertCurrent({ telex }: RequestsDeps, { token, version }: Wanted): Promise<void> {
  const caller = await telex.authenticate(token);
  if (caller.kind !== "token") throw new Refusal(version === 12 ? 401 : 403);
}

/** A request of a framework that was admitted. */
interface Admitted {
  readonly request: IncomingMessage;
  readonly wanted: Wanted;
  readonly actor: Actor;
  readonly readText: ReadText;
}

async function doAction12(deps: RequestsDeps, { request, wanted, actor, readText }: Admitted): Promise<string> {
  if (wanted.rest !== "") throw new Refusal(404);
  if (typeOf(request) !== "application/json") throw new Refusal(415);
  const text = await readText();
  await assertCurrent(deps, wanted);
  return answerFrame(actor, weigh(text), deps);
}

async function doAction11(deps: RequestsDeps, { request, wanted, actor, readText }: Admitted): Promise<string> {
  const action = wanted.rest.replace(/_(async|rate_limited)$/, "");
  if (!tongues[11].actions.has(action)) throw new Refusal(404);
  const body = weigh(await readText());
  await assertCurrent(deps, wanted);
  const { text, weight } = body;
  const result = await admitText(actor, body, deps, async (refusal) =>
    refusal === null
      ? act(actor, { action: wanted.rest, params: paramsOf(request, text), weight })
      : failed(11, refusal),
  );
  return JSON.stringify(frameOf(11, result, undefined));
}

const doAction = (deps: RequestsDeps, admitted: Admitted): Promise<string> =>
  admitted.wanted.version === 12 ? doAction12(deps, admitted) : doAction11(deps, admitted);

/** Slots of a user that a request takes one after the other, and releases together. */
function createTaking(userId: number) {
  const leaves: (() => void)[] = [];
  return {
    /** @throws Refusal 429 if no slot is free */
    take: (slots: Slots): void => {
      const leave = slots.take(String(userId));
      if (leave === null) throw new Refusal(429);
      leaves.push(leave);
    },
    leave: () => leaves.forEach((leave) => leave()),
  };
}

async function answer(deps: RequestsDeps, large: Slots, request: IncomingMessage, wanted: Wanted): Promise<string> {
  if (request.method !== "POST") throw new Refusal(405);
  const admission = await admit(deps, request, wanted);
  if ("status" in admission) throw new Refusal(admission.status);
  const actor = deps.actorOf(admission.holder, wanted);
  const { take, leave } = createTaking(actor.holder.userId);
  const readText = async (): Promise<string> => {
    const { incoming, faults } = deps;
    const tooMuch = (): void => faults.tell(String(actor.holder.userId), "too_much");
    const body = await readRequest(request, { most: bodySize, incoming, tooMuch, large: () => take(large) });
    if (body === null) throw new Refusal(413);
    return body.toString();
  };
  try {
    take(actor.inProgress);
    const body = await doAction(deps, { request, wanted, actor, readText });
    await assertCurrent(deps, wanted);
    return body;
  } finally {
    leave();
  }
}

function write(response: ServerResponse, status: number, body: string): void {
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  const more = headersOfStatus(status);
  response.writeHead(status, body === "" ? { ...more, "content-length": "0" } : { ...headers, ...more }).end(body);
}

/** The status of a request that failed. Counts or logs the failure. */
function statusOf({ faults, telex }: RequestsDeps, wanted: Wanted, cause: unknown): number {
  if (cause instanceof Refusal) {
    faults.tell("", ...refusalOf(cause.status, wanted));
    return cause.status;
  }
  telex.log.error("onebot.request_failed", {}, cause);
  return 500;
}

/** Answers a request that failed. */
function fail(request: IncomingMessage, response: ServerResponse, status: number): void {
  // An unread body would block the next request of the connection.
  request.resume();
  write(response, status, "");
}

/** Answers the requests of frameworks: `POST .../v11/<action>` and `POST .../v12`. */
export function createRequests(deps: RequestsDeps) {
  const large = createSlots(maxLarge);
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const target = readWanted(request, deps.basePath);
    if (target === null) return false;
    answer(deps, large, request, target).then(
      (body) => write(response, 200, body),
      (cause: unknown) => {
        if (!response.destroyed) fail(request, response, statusOf(deps, target, cause));
      },
    );
    return true;
  };
}
