export { createBroker, tryBroker } from "./broker.ts";
export type { Broker, BrokerOptions } from "./broker.ts";
export { shownBroker } from "./link.ts";
