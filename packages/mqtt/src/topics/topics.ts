/** The topics of one device. */
const deviceTopics = ["to", "from", "status", "send", "token"] as const;
type DeviceTopic = (typeof deviceTopics)[number];

/** A topic of a device. */
interface Topic {
  readonly deviceId: string;
  readonly name: DeviceTopic;
}

const root = "telex";

/** True for a valid ID of a device (interface 2.2). */
export const isDeviceId = (text: string): boolean => /^[A-Za-z0-9_-]{1,64}$/.test(text);

/** The name of a topic of a device. */
export const topicOf = (deviceId: string, name: DeviceTopic): string => `${root}/${deviceId}/${name}`;

/** Parses the name of a topic of a device, or returns null. */
export function readTopic(text: string): Topic | null {
  const [first, deviceId, last, ...rest] = text.split("/", 4);
  const name = deviceTopics.find((one) => one === last);
  if (first !== root || deviceId === undefined || name === undefined || rest.length > 0) return null;
  return isDeviceId(deviceId) ? { deviceId, name } : null;
}

const hasWildcard = (level: string): boolean => level.includes("#") || level.includes("+");

/** True for a valid MQTT filter: `#` is only its last level, and a wildcard is a whole level. */
export function isFilter(filter: string): boolean {
  if (filter === "" || filter.includes("\0")) return false;
  const levels = filter.split("/");
  const last = levels.length - 1;
  return levels.every((level, index) => !hasWildcard(level) || level === "+" || (level === "#" && index === last));
}

/** True if a filter matches the name of a topic. */
export function matches(filter: string, topic: string): boolean {
  const levels = filter.split("/");
  const names = topic.split("/");
  for (const [index, level] of levels.entries()) {
    if (level === "#") return true;
    if (index >= names.length || (level !== "+" && level !== names[index])) return false;
  }
  return levels.length === names.length;
}
