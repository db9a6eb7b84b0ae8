import type { ChannelName } from "../channels/table.ts";
import type { ClientClock } from "./clock.ts";
import type { EventFrame } from "./frames.ts";
import { createInbox } from "./inbox.ts";
import type { createCallQueue } from "./queue.ts";
import type { Resume } from "./resume.ts";
import type { FollowState, FollowOptions } from "./follow-options.ts";

/** Reports the state of the follower when it changes. */
export function createStates(onState: ((state: FollowState) => void) | undefined) {
  let state: FollowState = { kind: "connecting" };
  return {
    now: (): FollowState => state,
    change(next: FollowState): void {
      state = next;
      onState?.(next);
    },
  };
}

export interface Shared<N extends ChannelName> {
  readonly options: FollowOptions<N>;
  readonly clock: ClientClock;
  readonly mostCalls: number;
  readonly states: ReturnType<typeof createStates>;
  readonly calls: ReturnType<typeof createCallQueue<N>>;
  readonly resume: Resume;
}

/** Events waiting for `onEvent`, over all connections. */
interface EventsDeps {
  /** Called when more events wait than allowed. */
  readonly overflow: () => void;
  readonly idle: () => void;
  readonly failed: (cause: unknown) => void;
}

interface Arrival<N extends ChannelName> {
  readonly event: EventFrame<N>;
  readonly arrivedAt: number;
}

export function createEvents<N extends ChannelName>(
  { options, resume, clock }: Shared<N>,
  { overflow, idle, failed }: EventsDeps,
) {
  const { onEvent, mostUnread = 1000 } = options;
  const use = async ({ event, arrivedAt }: Arrival<N>): Promise<void> => {
    const outcome = await onEvent(event, arrivedAt);
    resume.used(event, outcome === "failed");
  };
  const inbox = createInbox<Arrival<N>>({ use, idle, failed });
  return {
    end: inbox.end,
    receive: (frame: EventFrame<N>): void => {
      // An event that does not fit does not count as received.
      const event = inbox.size < mostUnread ? resume.receive(frame) : overflow();
      if (event) inbox.put({ event, arrivedAt: clock.now() });
    },
  };
}
