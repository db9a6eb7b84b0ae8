const second = 1000;
const kib = 1024;
const mib = 1024 * kib;

/** Limits of MQTT. `createMqtt(telex, { limits })` changes single ones. */
export interface MqttLimits {
  /** Maximum bytes of a packet. */
  readonly packetSize: number;
  /** Milliseconds until a new connection must have sent a valid CONNECT. */
  readonly connectWait: number;
  /** Running and waiting packets of one connection from which it is not read. */
  readonly packetQueue: number;
  /** Maximum bytes that wait for one connection. Beyond it, the connection counts as too slow. */
  readonly outputWaiting: number;
  /** Maximum bytes that wait for all connections together. Beyond it, the fullest are closed. */
  readonly outputWaitingTotal: number;
  /** Texts of QoS 1 on their way to one device. */
  readonly window: number;
  /** Filters that one connection may subscribe to. */
  readonly filters: number;
  /** Milliseconds for the other side to close after the last packet of the server. */
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
