/** Bytes of a notification before it is encrypted. Push services take 4,096 afterwards. */
const mostBytes = 3000;

/** The content of a notification. The service worker of the pages finds words for it, in the language of the browser. */
interface Common {
  /** The name of the room or device, or of the person in a private chat. */
  readonly title: string;
  /** The number of texts that it reports. */
  readonly count: number;
  /** The beginning of the newest text, if the person allows it. */
  readonly body?: string;
  /** The page that a click opens, as a path. */
  readonly url: string;
}

/** Messages of a room. */
interface RoomPayload extends Common {
  readonly groupId: number;
  readonly groupType: number;
  readonly messageId: number;
}

/** Texts of a device, or its absence. */
interface DevicePayload extends Common {
  readonly deviceId: string;
  readonly event: "text" | "offline";
  /** Minutes since the device went offline. */
  readonly minutes?: number;
}

export type PushPayload = RoomPayload | DevicePayload;

const encode = (payload: PushPayload): Buffer => Buffer.from(JSON.stringify(payload));

/** Cuts the text until the whole is small enough, and returns the JSON. */
export function encodePayload(payload: PushPayload): Buffer {
  const whole = encode(payload);
  if (whole.length <= mostBytes) return whole;
  const characters = [...(payload.body ?? "")];
  const cutAt = (length: number): Buffer => encode({ ...payload, body: `${characters.slice(0, length).join("")}…` });
  let [fits, tooLong] = [0, Math.min(characters.length, mostBytes)];
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (cutAt(middle).length <= mostBytes) fits = middle;
    else tooLong = middle;
  }
  return cutAt(fits);
}
