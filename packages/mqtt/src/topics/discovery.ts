import type { DeviceView } from "@telex/core";
import { topicOf } from "./topics.ts";

/** The discovery of devices by Home Assistant. */
export interface Discovery {
  /** The first level of its topics. */
  readonly prefix: string;
}

/** A retained message of discovery. */
interface Config {
  readonly topic: string;
  readonly payload: string;
}

/** Home Assistant rejects longer states. */
const longestState = 255;

const topicsOf = ({ prefix }: Discovery, deviceId: string) => ({
  notify: `${prefix}/notify/telex_${deviceId}/config`,
  sensor: `${prefix}/sensor/telex_${deviceId}/config`,
});

/** The entities of a device: one that sends it texts, and one that shows the last text from it. */
export function configsOf(
  discovery: Discovery,
  { deviceId, name }: Pick<DeviceView, "deviceId" | "name">,
): readonly Config[] {
  const topics = topicsOf(discovery, deviceId);
  const device = { identifiers: [`telex_${deviceId}`], name, manufacturer: "Telex", model: "Teleprinter" };
  // Without availability, because texts for an offline device are queued.
  const notify = {
    device,
    name: "Print",
    unique_id: `telex_${deviceId}_notify`,
    command_topic: topicOf(deviceId, "send"),
    qos: 1,
  };
  const sensor = {
    device,
    name: "Last text",
    unique_id: `telex_${deviceId}_sensor`,
    state_topic: topicOf(deviceId, "from"),
    value_template: `{{ value[:${longestState}] }}`,
    availability_topic: topicOf(deviceId, "status"),
    payload_available: "online",
    payload_not_available: "offline",
  };
  return [
    { topic: topics.notify, payload: JSON.stringify(notify) },
    { topic: topics.sensor, payload: JSON.stringify(sensor) },
  ];
}
