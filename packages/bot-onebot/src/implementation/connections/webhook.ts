import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { OneBotUser } from "@telex/core/transport";
import { readResponse } from "../../link/http-body.ts";
import { readJson } from "../../wire/frames.ts";
import type { Actor } from "../context.ts";
import { act, admitText, answerFrame, type DispatchDeps } from "../dispatch.ts";
import { weigh } from "./load.ts";
import { type EndReason, startTeller, type Teller } from "../teller.ts";
import { implementation } from "../tongue.ts";
import { userAgentOf } from "../version.ts";

/** Milliseconds for a framework to answer an event. */
const eventTime = 10_000;
/** Milliseconds after which an event that did not arrive is sent again, once. */
const againAfter = 1000;
/** Maximum bytes of an answer that are read. */
const answerSize = 2 ** 20;

interface WebhookDeps extends DispatchDeps {
  readonly actor: Actor;
  readonly user: OneBotUser & { readonly connect: string };
  readonly began: (teller: Teller) => () => void;
  readonly failed: () => void;
}

function headers11({ userId, secret }: OneBotUser, body: string) {
  const signature = secret === null ? null : createHmac("sha1", secret).update(body).digest("hex");
  return { "x-self-id": String(userId), ...(signature !== null && { "x-signature": `sha1=${signature}` }) };
}

const headers12 = ({ secret }: OneBotUser) => ({
  ...(secret !== null && { authorization: `Bearer ${secret}` }),
  "x-onebot-version": "12",
  "x-impl": implementation,
});

function headersOf({ version, appVersion }: Actor, user: OneBotUser, body: string) {
  const common = { "content-type": "application/json", "user-agent": userAgentOf(version, appVersion) };
  return { ...common, ...(version === 12 ? headers12(user) : headers11(user, body)) };
}

/** Runs the framework's answer to an event: in OneBot 11 an operation, in OneBot 12 actions. */
async function takeAnswer(actor: Actor, event: object, text: string, deps: DispatchDeps): Promise<void> {
  if (actor.version === 12) {
    const answer = readJson(text);
    const frames = Array.isArray(answer) ? answer : [];
    for (const frame of frames) await answerFrame(actor, weigh(JSON.stringify(frame)), deps);
    return;
  }
  if (!/[^\s{}]/.test(text)) return;
  const action = weigh(text);
  await admitText(actor, action, deps, async (refusal) => {
    const operation = refusal === null ? readJson(text) : null;
    if (typeof operation !== "object" || operation === null || Object.keys(operation).length === 0) return;
    const { weight } = action;
    await act(actor, { action: ".handle_quick_operation", params: { context: event, operation }, weight });
  });
}

/** Sends events to a framework as requests to its address. The returned function ends that. */
export function startWebhook({ actor, user, began, failed, ...deps }: WebhookDeps): () => void {
  const ended = new AbortController();
  const post = async (event: object): Promise<boolean> => {
    const body = JSON.stringify(event);
    const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(eventTime)]);
    const headers = headersOf(actor, user, body);
    const response = await fetch(user.connect, { method: "POST", headers, body, signal, redirect: "error" });
    if (response.status === 200) await takeAnswer(actor, event, (await readResponse(response, answerSize)) ?? "", deps);
    else await response.body?.cancel();
    return response.ok;
  };
  const tell = async (event: object): Promise<boolean> => {
    const first = await post(event).catch(() => false);
    if (first || ended.signal.aborted) return first;
    failed();
    await sleep(againAfter, undefined, { signal: ended.signal }).catch(() => {});
    return post(event).catch(() => false);
  };
  let pause = (): void => {};
  const begin = (): void => {
    const teller = startTeller({ actor, outlet: { tell, end }, tellsOwn: () => user.self, isSocket: false });
    const left = began(teller);
    pause = () => {
      teller.stop();
      left();
    };
  };
  function end(reason: EndReason): void {
    // Another server takes over the requests when it has the lease.
    if (reason === "draining") return;
    if (reason !== "too_slow") return stop();
    // As when a socket reconnects: waiting events are lost, and later ones are sent.
    pause();
    failed();
    pause = actor.telex.clock.after(againAfter, begin);
  }
  function stop(): void {
    ended.abort();
    pause();
  }
  begin();
  return stop;
}
