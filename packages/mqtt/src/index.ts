export { defaultMqttLimits } from "./limits.ts";
export type { MqttLimits } from "./limits.ts";
export { createMqtt } from "./mqtt.ts";
export type { Mqtt, MqttOptions } from "./mqtt.ts";
export type { ListenOptions } from "./server/tcp.ts";
