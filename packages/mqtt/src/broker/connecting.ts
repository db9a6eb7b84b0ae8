import type { Telex } from "@telex/core";
import { createOnce } from "@telex/core/transport";
import { type BrokerAddress, type BrokerLink, openLink, type Receive, shownBroker } from "./link.ts";
import { createPauses } from "./pauses.ts";

/** Connects to the broker again and again. */
interface Connecting {
  /** Null while the broker is unavailable. */
  readonly link: () => BrokerLink | null;
  /**
   * Connects whenever the broker is available, until `end`. Never rejects.
   * @param serve uses a connection until it has ended
   * @param served called after each connection
   */
  readonly run: (serve: (link: BrokerLink) => Promise<void>, served: () => Promise<void>) => Promise<void>;
  readonly end: () => Promise<void>;
}

const second = 1000;
const longestPause = 30 * second;

/** The reason for a failure: the code of a socket, or the message of the client, which contains no password. */
export const reasonOf = (cause: unknown): string => {
  const { code, message } = cause instanceof Error ? { code: undefined, ...cause, message: cause.message } : {};
  return String(typeof code === "string" ? code : message);
};

export function createConnecting(telex: Telex, address: BrokerAddress, receive: Receive): Connecting {
  const { clock, log } = telex;
  const pauses = createPauses(telex);
  const isFirst = createOnce(clock);
  let link: BrokerLink | null = null;
  const connect = async (...[serve, served]: Parameters<Connecting["run"]>): Promise<void> => {
    const open = await openLink(address, receive);
    link = open;
    try {
      if (!pauses.isOver()) await serve(open);
    } finally {
      link = null;
      await served();
      await open.end();
    }
  };
  const failed = (cause: unknown): void => {
    const reason = reasonOf(cause);
    if (isFirst(reason)) log.warn("mqtt.broker_unreachable", { address: shownBroker(address.url), reason });
  };
  return {
    link: () => link,
    async run(serve, served) {
      let time = second;
      do {
        const begun = clock.now();
        await connect(serve, served).catch(failed);
        time = clock.now() - begun > longestPause ? second : Math.min(2 * time, longestPause);
      } while (await pauses.wait(time));
    },
    async end() {
      pauses.end();
      await link?.end();
    },
  };
}
