const second = 1000;
const kib = 1024;
const mib = 1024 * kib;

/** Limits of MQTT. `createMqtt(telex, { limits })` changes some of them. */
export interface MqttLimits {
  /** Maximum bytes of a packet. */
  readonly packetSize: number;
  /** Milliseconds until a new connection must have sent a valid CONNECT. */
  readonly connectWait: number;
  /** Packets of one connection, in progress and waiting, at which reading pauses. */
  readonly packetQueue: number;
  /** Maximum unsent bytes of one connection. With more, the connection counts as too slow. */
  readonly outputWaiting: number;
  /** Maximum unsent bytes of all connections together. With more, those with the most are closed. */
  readonly outputWaitingTotal: number;
  /** Maximum unacknowledged QoS 1 texts of one device. */
  readonly window: number;
  /** Maximum filters of one connection. */
  readonly filters: number;
  /** Milliseconds that the other side has to close after the last packet of the server. */
  readonly closeTime: number;
}

/** The defaults of {@link MqttLimits}. */
export const defaultMqttLimits: MqttLimits = {
  packetSize: 256 * kib,
  connectWait: 10 * second,
  packetQueue: 64,
  outputWaiting: 4 * mib,
  outputWaitingTotal: 256 * mib,
  window: 20,
  filters: 100,
  closeTime: 2 * second,
};
