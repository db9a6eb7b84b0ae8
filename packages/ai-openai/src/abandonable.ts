import type { Dispatcher } from "undici";
import { ServiceError } from "./service-error.ts";
import type { Watchdog } from "./watchdog.ts";

/** A request that can be abandoned before its response ends. */
interface Abandonable {
  /** Registers the connection. If the request was abandoned earlier, this aborts the connection. */
  readonly begun: (connection: Dispatcher.DispatchController) => void;
  readonly pause: () => void;
  readonly resume: () => void;
  /** Abandons the response. */
  readonly stop: () => void;
  /** Removes the listener from the signal. Callers call this when the response ends. */
  readonly release: () => void;
}

interface AbandonableDeps {
  readonly signal: AbortSignal;
  readonly watchdog: Watchdog;
  /** The name of the abandoned thing in errors: `reply`, `response`. */
  readonly what: string;
  readonly givenUp: (why: ServiceError) => void;
}

/** Creates a request that its signal, or a late service, abandons. */
export function createAbandonable({ signal, watchdog, what, givenUp }: AbandonableDeps): Abandonable {
  let controller: Dispatcher.DispatchController | null = null;
  let reason: ServiceError | null = null;
  const giveUp = (why: ServiceError): void => {
    reason ??= why;
    controller?.abort(why);
    givenUp(why);
  };
  const stop = (): void => giveUp(new ServiceError(`The ${what} is no longer wanted.`));
  signal.addEventListener("abort", stop, { once: true });
  watchdog.onLate(() => giveUp(new ServiceError("The AI service does not continue.")));
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
