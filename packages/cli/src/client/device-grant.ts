import { setTimeout } from "node:timers/promises";
import * as oauth from "oauth4webapi";
import { Failure } from "../errors/errors.ts";
import {
  assertSameServer,
  type Authority,
  authorityFailure,
  commandLine,
  requestOptions,
  type Tokens,
  tokensOf,
} from "./authority.ts";

const scope = "openid profile chat device";

/** A code that a person confirms in a browser. */
export interface Waiting {
  readonly code: string;
  /** The page that asks for the code. */
  readonly address: string;
  /** The same page, with the code filled in. */
  readonly addressWithCode: string;
  readonly deviceCode: string;
  /** Seconds between polls. */
  readonly interval: number;
  /** Seconds for which the code can be confirmed. */
  readonly life: number;
}

/** Limits a value from the server, so that the command polls neither without a pause nor without an end. */
const clamp = (least: number, value: number, most: number): number => Math.min(Math.max(value, least), most);

/**
 * Asks for a code.
 * @returns null if the server does not sign the command line in
 * @throws Failure `unreachable`, `unavailable`, `no_telex`, `other_address`
 */
export async function askForCode({ url, metadata }: Authority): Promise<Waiting | null> {
  try {
    const proof = oauth.None();
    const request = oauth.deviceAuthorizationRequest(metadata, commandLine, proof, { scope }, requestOptions());
    const shown = await oauth.processDeviceAuthorizationResponse(metadata, commandLine, await request);
    const { verification_uri: address, verification_uri_complete: addressWithCode = address } = shown;
    for (const one of [address, addressWithCode]) assertSameServer(one, url);
    return {
      code: shown.user_code,
      address,
      addressWithCode,
      deviceCode: shown.device_code,
      interval: clamp(1, shown.interval ?? 5, 60),
      life: clamp(1, shown.expires_in, 3600),
    };
  } catch (error) {
    if (error instanceof oauth.ResponseBodyError) return null;
    throw authorityFailure(error, url);
  }
}

/** The result of a poll: tokens, or the number of seconds to add to the interval. */
type Answer = Tokens | number;

const expired = (): Failure =>
  new Failure("expired", "The code was not confirmed in time. Run telex login again for a new one.");

async function poll({ url, metadata }: Authority, { deviceCode }: Waiting): Promise<Answer> {
  try {
    const proof = oauth.None();
    const request = oauth.deviceCodeGrantRequest(metadata, commandLine, proof, deviceCode, requestOptions());
    return tokensOf(await oauth.processDeviceCodeResponse(metadata, commandLine, await request));
  } catch (error) {
    if (!(error instanceof oauth.ResponseBodyError)) return longer(authorityFailure(error, url));
    if (error.error === "authorization_pending") return 0;
    if (error.error === "slow_down") return 5;
    if (error.error === "access_denied") throw new Failure("refused", "The sign-in was refused in the browser.");
    throw expired();
  }
}

/** A restarted server still knows the code, so polling continues, each time after a longer pause. */
function longer(failure: unknown): number {
  if (failure instanceof Failure && ["unreachable", "unavailable"].includes(failure.error)) return 5;
  throw failure;
}

/** Waits for a number of seconds, or until `nudge` is settled. */
export type Pause = (seconds: number, nudge: Promise<unknown>) => Promise<void>;

const pauseFor: Pause = async (seconds, nudge) => {
  const stop = new AbortController();
  const time = setTimeout(seconds * 1000, null, { signal: stop.signal }).catch(() => null);
  await Promise.race([time, nudge]);
  stop.abort();
};

const never = new Promise<never>(() => undefined);

/**
 * Polls until the person has answered.
 * @param opened is settled when the program that shows the page ends: then the person may have answered
 * @param pause waits between polls; tests replace it
 * @throws Failure `refused`, `expired`, `no_telex`
 */
export async function awaitTokens(
  authority: Authority,
  waiting: Waiting,
  opened: Promise<unknown> = never,
  pause: Pause = pauseFor,
): Promise<Tokens> {
  let { interval } = waiting;
  let nudge = opened;
  for (let left = waiting.life; left > 0; left -= interval) {
    await pause(interval, nudge);
    nudge = never;
    const answer = await poll(authority, waiting);
    if (typeof answer !== "number") return answer;
    interval = clamp(1, interval + answer, 60);
  }
  throw expired();
}
