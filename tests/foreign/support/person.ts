import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { SegmentInput } from "@telex/core";
import { type Client, createClient, TelexClientError } from "@telex/http/client";
import { vi } from "vitest";

/** How long and how often to poll for an effect of another program. */
interface PollOptions {
  readonly timeout: number;
  readonly interval: number;
}

/** A busy machine is slow, not wrong. Most polls are requests, hence the interval. */
export const pollOptions: PollOptions = { timeout: 60_000, interval: 50 };

/** True for failures that a retry may resolve: a server that ended, a balancer that has not noticed it, an offline bot. */
const isPassing = (cause: unknown): boolean =>
  !(cause instanceof TelexClientError) || (cause.status >= 500 && cause.code !== "delivery_unknown");

/** Repeats a call until it succeeds. The call must be safe to repeat. */
async function insist<T>(call: () => Promise<T>): Promise<T> {
  const end = Date.now() + pollOptions.timeout;
  for (;;) {
    try {
      return await call();
    } catch (cause) {
      if (!isPassing(cause) || Date.now() > end) throw cause;
    }
    await delay(pollOptions.interval);
  }
}

/** The content of a message. */
export type Words = string | SegmentInput[];

/** A room and the token of a member. */
export interface RoomAccess {
  readonly url: string;
  readonly token: string;
  readonly groupId: number;
  readonly groupType: 1 | 4;
}

/** A person in a room, who sends and reads messages through any server that responds. */
export function personIn({ url, token, groupId, groupType }: RoomAccess) {
  const client: Client = createClient({ url, token });
  const place = { groupId, groupType } as const;
  const send = (message: Words, nonce: string) => client.messages.send({ ...place, message, nonce });
  const history = async (pageSize = 100) => {
    const { groupMessages } = await insist(() => client.messages.history({ ...place, pageSize }));
    return groupMessages;
  };
  const say = (message: Words) => {
    const nonce = randomUUID();
    return insist(() => send(message, nonce));
  };
  return {
    client,
    say,
    /** Sends a message once. */
    tryToSay: (message: Words) => send(message, randomUUID()),
    /** Newest first. */
    history,
    /** Sends a message, and waits for a message that contains the answer. */
    async ask(message: Words, answer: string) {
      await say(message);
      return vi.waitUntil(async () => {
        const [newest] = await history(1);
        return newest?.content.includes(answer) === true && newest.content;
      }, pollOptions);
    },
    upload: async (name: string, bytes: Uint8Array) =>
      (await insist(() => client.bucket.upload({ file: new File([new Uint8Array(bytes)], name) }))).file_id,
    recall: (messageId: number) => insist(() => client.messages.recall({ groupId, messageId })),
  };
}

/** See {@link personIn}. */
export type Person = ReturnType<typeof personIn>;
