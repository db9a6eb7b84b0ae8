import type { Dispatcher } from "undici";
import { ServiceError } from "./service-error.ts";
import type { Watchdog } from "./watchdog.ts";

/** A request that can be given up before its response has ended. */
interface Abandonable {
  /** Takes the connection. If the request was given up before, the connection is aborted. */
  readonly begun: (connection: Dispatcher.DispatchController) => void;
  readonly pause: () => void;
  readonly resume: () => void;
  /** Nobody wants the response any more. */
  readonly stop: () => void;
  /** To be called at the end: the signal is not listened to any more. */
  readonly release: () => void;
}

/** What {@link createAbandonable} needs. */
interface AbandonableDeps {
  readonly signal: AbortSignal;
  readonly watchdog: Watchdog;
  /** What is not wanted any more after `stop`: `reply`, `response`. */
  readonly what: string;
  readonly givenUp: (why: ServiceError) => void;
}

/** A request that is given up when its signal is aborted or its service is late. */
export function createAbandonable({ signal, watchdog, what, givenUp }: AbandonableDeps): Abandonable {
  let controller: Dispatcher.DispatchController | null = null;
  let reason: ServiceError | null = null;
  const giveUp = (why: ServiceError): void => {
    reason ??= why;
    controller?.abort(why);
    givenUp(why);
  };
  const stop = (): void => giveUp(new ServiceError(`The ${what} is not wanted any more.`));
  signal.addEventListener("abort", stop, { once: true });
  watchdog.onLate(() => giveUp(new ServiceError("The AI service does not go on.")));
  return {
    begun(connection) {
      controller = connection;
      if (reason !== null) connection.abort(reason);
    },
    pause: () => controller?.pause(),
    resume: () => controller?.resume(),
    stop,
    release: () => signal.removeEventListener("abort", stop),
  };
}
