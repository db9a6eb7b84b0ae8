import { type Telex, TelexError } from "@telex/core";
import type { ISubscription } from "mqtt-packet";
import { canSubscribe, type Login } from "../topics/access.ts";
import { topicOf } from "../topics/topics.ts";
import { codes } from "../wire/codes.ts";
import type { Version } from "../wire/packets.ts";
import type { Texts } from "./texts.ts";
import type { Watching } from "./watching.ts";

/** The subscriptions of one connection. */
export interface Subscriptions {
  /**
   * Subscribes to filters.
   * @returns the quality of service of each filter, or a reason for its refusal, and a function that starts publishing
   */
  readonly add: (
    asked: readonly ISubscription[],
  ) => Promise<{ readonly granted: readonly number[]; readonly begin: () => void }>;
  /** False if the subscription does not exist. */
  readonly remove: (filter: string) => boolean;
}

interface SubscriptionsDeps {
  readonly telex: Telex;
  readonly login: Login;
  readonly version: () => Version;
  /** Null for an owner. */
  readonly texts: Texts | null;
  readonly watching: Watching;
  /** The first level of the topics of discovery; null if there is none. */
  readonly discovery: string | null;
  /** Maximum filters of a connection. */
  readonly limit: number;
}

/** The only failure code of MQTT 3.1.1. */
const failure = 0x80;

const isShared = (filter: string): boolean => filter.startsWith("$share/");

type Begin = () => void | Promise<void>;

export function createSubscriptions(deps: SubscriptionsDeps): Subscriptions {
  const { telex, login, texts, watching, discovery, limit } = deps;
  const filters = new Set<string>();
  const isTexts = (filter: string): boolean => login.as === "device" && filter === topicOf(login.deviceId, "to");
  const refusalOf = (filter: string): number | null => {
    if (isShared(filter)) return codes.sharedSubscriptions;
    if (!canSubscribe(login, filter, discovery)) return codes.notAuthorized;
    return filters.size >= limit && !filters.has(filter) ? codes.quotaExceeded : null;
  };
  /** Returns the quality of service, or a reason for a refusal. */
  const addOne = async ({ topic: filter, qos: wanted, rh = 0 }: ISubscription, begins: Begin[]): Promise<number> => {
    const refusal = refusalOf(filter);
    if (refusal !== null) return refusal;
    const qos = wanted === 0 ? 0 : 1;
    if (texts !== null && isTexts(filter)) {
      if (!(await texts.subscribe(qos))) return codes.unspecified;
      begins.push(texts.begin);
    } else {
      const isNew = watching.listen(filter);
      if (rh === 0 || (rh === 1 && isNew)) begins.push(() => watching.publishRetained(filter));
    }
    filters.add(filter);
    return qos;
  };
  const add = async (one: ISubscription, begins: Begin[]): Promise<number> => {
    try {
      return await addOne(one, begins);
    } catch (cause) {
      const error = TelexError.from(cause);
      if (error.code === "internal")
        telex.log.error("mqtt.subscribe_failed", { incident: error.incident }, error.cause);
      return error.code === "not_owner" || error.code === "device_not_found" ? codes.notAuthorized : codes.unspecified;
    }
  };
  const codeOf = (code: number): number => (deps.version() === 4 && code >= failure ? failure : code);
  return {
    async add(asked) {
      const begins: Begin[] = [];
      const granted: number[] = [];
      for (const one of asked) granted.push(codeOf(await add(one, begins)));
      const run = async (): Promise<void> => {
        for (const begin of begins) await begin();
      };
      const failed = (cause: unknown): void => telex.log.error("mqtt.retained_failed", {}, cause);
      return { granted, begin: () => void run().catch(failed) };
    },
    remove(filter) {
      if (!filters.delete(filter)) return false;
      if (texts !== null && isTexts(filter)) texts.unsubscribe();
      else watching.unsubscribe(filter);
      return true;
    },
  };
}
