import type { Telex } from "@telex/core";
import { checkOptions, optionKinds, type OptionKinds } from "@telex/core/options";
import { type LiveEvent, type RateLimiter, unlimited } from "@telex/core/transport";
import { defaultMqttLimits } from "../limits.ts";
import type { Discovery } from "../topics/discovery.ts";
import { createConnecting, reasonOf } from "./connecting.ts";
import { createIncoming } from "./incoming.ts";
import { type BrokerLink, openLink, shownBroker } from "./link.ts";
import { createMembers } from "./members.ts";
import { createOwners } from "./owners.ts";
import { createPauses } from "./pauses.ts";

/** Options of {@link createBroker}. */
export interface BrokerOptions {
  /** `mqtt:`, `mqtts:`, `ws:` or `wss:`, with the user name and the password of Telex at the broker. */
  readonly url: string;
  /** The client identifier: the same for all servers of an installation, and not used by other clients of the broker. Default `telex`. */
  readonly clientId?: string;
  /**
   * True if the broker itself controls who may publish to `telex/<id>/from`, `status` and `send`. Default false: only messages with a
   * Telex token in the user property `token` are accepted.
   */
  readonly isTrusted?: boolean;
  /** The first level of the topics of Home Assistant's discovery; `""` for none. Default `homeassistant`. */
  readonly discovery?: string;
  /** Limits messages: the same limiter of `createRateLimiter` that `createHttp` gets. Default: no limits. */
  readonly rateLimiter?: RateLimiter;
}

/** Telex as a client of a broker. */
export interface Broker {
  /** Ends the connection, and queues unacknowledged texts again. A second call waits for the first. */
  close(): Promise<void>;
}

const kinds: OptionKinds<BrokerOptions> = {
  url: optionKinds.text,
  clientId: optionKinds.text,
  isTrusted: optionKinds.flag,
  discovery: optionKinds.text,
  rateLimiter: optionKinds.port(["count", "charge"], "createRateLimiter()"),
};

const second = 1000;
const filters = ["telex/+/from", "telex/+/status", "telex/+/send"];

interface Work {
  readonly run: () => Promise<void>;
  /** Call it when a user was added or changed. */
  readonly changed: (userId: number) => void;
  readonly end: () => Promise<void>;
}

/** The work of the one server that is connected to the broker. */
function createWork(telex: Telex, options: Required<BrokerOptions>): Work {
  const { url, clientId, isTrusted, rateLimiter, discovery: prefix } = options;
  const retries = createPauses(telex);
  const discovery: Discovery | null = prefix === "" ? null : { prefix };
  const connecting = createConnecting(telex, { url, clientId }, (packet) => incoming.take(packet));
  const members = createMembers({ telex, window: defaultMqttLimits.window });
  const { link } = connecting;
  const isEcho = (event: LiveEvent): boolean => incoming.isEcho(event);
  const owners = createOwners({ telex, discovery, isTrusted, members, link, isEcho });
  const { ownerOf, came } = owners;
  const pause = (): Promise<boolean> => retries.wait(second);
  const incoming = createIncoming({ telex, clientId, rateLimiter, isTrusted, ownerOf, came, pause });
  const serve = async (open: BrokerLink): Promise<void> => {
    await open.subscribe(filters);
    telex.log.info("mqtt.broker_connected", { address: shownBroker(url) });
    await owners.publishRetained();
    members.open(open);
    await open.closed;
  };
  const run = (): Promise<void> => owners.begin().then(() => connecting.run(serve, members.close));
  let running: Promise<void> = Promise.resolve();
  return {
    run: () => (running = run().catch((cause: unknown) => telex.log.error("mqtt.broker_failed", {}, cause))),
    changed: owners.changed,
    async end() {
      retries.end();
      await connecting.end();
      await running;
      owners.end();
    },
  };
}

const withDefaults = ({
  url,
  clientId = "telex",
  isTrusted = false,
  discovery = "homeassistant",
  rateLimiter = unlimited,
}: BrokerOptions): Required<BrokerOptions> => ({ url, clientId, isTrusted, discovery, rateLimiter });

/**
 * Connects an instance to an MQTT 5 broker as a client. Of several servers, only one is connected. Devices use the same topics as with
 * `createMqtt`. Call `close` before you close Telex.
 * @throws TypeError for an unknown option, or one of the wrong type
 * @example
 * const broker = createBroker(telex, { url: "mqtts://telex:secret@mosquitto.example" });
 */
export function createBroker(telex: Telex, options: BrokerOptions): Broker {
  checkOptions("createBroker", options, kinds);
  const complete = withDefaults(options);
  shownBroker(complete.url);
  let work: Work | null = null;
  const stop = async (): Promise<void> => {
    const ending = work;
    work = null;
    await ending?.end();
  };
  const lease = telex.leases.open("mqtt broker", {
    held() {
      const next = createWork(telex, complete);
      work = next;
      void next.run();
    },
    lost: () => void stop(),
  });
  lease.keep();
  telex.plug({ name: "mqtt broker", on: { "user.changed": ({ userId }) => work?.changed(userId) } });
  let closing: Promise<void> | null = null;
  return { close: () => (closing ??= stop().then(() => lease.release())) };
}

/**
 * Connects to a broker and disconnects, as `telex doctor` does.
 * @throws Error if the broker is not reachable or refuses the client. The message contains no password
 */
export async function tryBroker(url: string): Promise<void> {
  try {
    const link = await openLink({ url, clientId: "" }, () => Promise.resolve(), false);
    await link.end();
  } catch (cause) {
    throw new Error(reasonOf(cause), { cause });
  }
}
