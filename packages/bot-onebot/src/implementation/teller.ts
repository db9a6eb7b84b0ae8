import type { CloseReason, LiveConnection, LiveEvent } from "@telex/core/transport";
import type { Actor } from "./context.ts";
import { type Happening, happeningsOf } from "./happenings.ts";
import { heartbeatInterval } from "./tongue.ts";
import { tongues } from "./tongues.ts";

/** Maximum events that wait to be sent. A framework that takes them more slowly is cut off. */
const maxWaiting = 1000;

/** The reason why Telex sends no more events. */
export type EndReason = "token_ended" | "too_slow" | "stopping" | "draining";

const isEndReason = (reason: CloseReason): reason is EndReason =>
  reason === "too_slow" || reason === "stopping" || reason === "draining";

/** Sends events to a framework, over a socket or by requests. */
interface Outlet {
  /** Sends an event. Returns false if the connection has ended. */
  tell(event: object): boolean | Promise<boolean>;
  /** Called when Telex ends it. */
  end(reason: EndReason): void;
}

/** A framework that receives events. */
export interface Teller {
  readonly userId: number;
  /** Sends something that is not a live event: members who joined or left. */
  happened(happening: Happening): void;
  stop(): void;
}

interface TellerDeps {
  readonly actor: Actor;
  readonly outlet: Outlet;
  /** True if the user wants events for their own messages. */
  readonly tellsOwn: () => boolean;
  /** False for requests: they have no event that says that a connection is open. */
  readonly isSocket: boolean;
}

/** Sends a framework the events in the rooms of its account, in order, until it is stopped. */
export function startTeller({ actor, outlet, tellsOwn, isSocket }: TellerDeps): Teller {
  const { telex, holder } = actor;
  const tongue = tongues[actor.version];
  let waiting = 0;
  let isStopped = false;
  let last = Promise.resolve();

  const tell = async (happening: Happening): Promise<void> => {
    if (happening.kind === "message" && happening.isOwn && !tellsOwn()) return;
    await outlet.tell(tongue.eventOf(actor, happening));
  };
  const enqueue = (work: () => Promise<void>): void => {
    if (isStopped) return;
    if (waiting >= maxWaiting) return outlet.end("too_slow");
    waiting += 1;
    last = last
      .then(async () => (isStopped ? undefined : work()))
      .catch((cause: unknown) => telex.log.error("onebot.event_failed", { userId: holder.userId }, cause))
      .finally(() => (waiting -= 1));
  };
  const live: LiveConnection = {
    holder,
    write(events: readonly LiveEvent[]) {
      for (const event of events) {
        enqueue(async () => {
          for (const happening of await happeningsOf(actor, event)) await tell(happening);
        });
      }
    },
    close: (reason) => outlet.end(isEndReason(reason) ? reason : "token_ended"),
  };
  const detach = telex.attach(live);
  const listening = telex.listen(live, { echo: true, since: "ready" });
  // An earlier framework may have acted on the messages until now. They must not be handled twice.
  enqueue(() => listening.ready);
  for (const event of tongue.greeting(actor, isSocket)) enqueue(async () => void (await outlet.tell(event)));
  let cancel = (): void => {};
  const beat = (): void => {
    cancel = telex.clock.after(heartbeatInterval, beat);
    // A slow framework still has events to read, which show that the connection is alive.
    if (waiting === 0) enqueue(async () => void (await outlet.tell(tongue.heartbeat(actor))));
  };
  cancel = telex.clock.after(heartbeatInterval, beat);
  return {
    userId: holder.userId,
    happened: (happening) => enqueue(() => tell(happening)),
    stop() {
      isStopped = true;
      cancel();
      listening.stop();
      detach();
    },
  };
}
