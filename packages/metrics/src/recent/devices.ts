/** A device that came online or went offline, with its report about itself. */
export interface SeenDevice {
  readonly deviceId: string;
  readonly name: string;
  readonly online: boolean;
  readonly transport?: string | undefined;
  readonly program?: string | undefined;
}

/** A device with the time of its last change, in Unix milliseconds. */
type Kept = SeenDevice & { readonly since: number };

/** Maximum offline devices that are kept. */
const mostGone = 1000;

/** The devices that are online, and those that went offline last. */
export interface Devices {
  readonly see: (device: SeenDevice, now: number) => void;
  readonly forget: (deviceId: string) => void;
  readonly online: () => number;
  /** The last change first. */
  readonly list: (limit: number) => readonly Kept[];
}

export function createDevices(): Devices {
  const [here, gone] = [new Map<string, Kept>(), new Map<string, Kept>()];
  const forget = (deviceId: string): void => {
    here.delete(deviceId);
    gone.delete(deviceId);
  };
  return {
    see({ deviceId, name, online, transport, program }, now) {
      forget(deviceId);
      (online ? here : gone).set(deviceId, { deviceId, name, online, transport, program, since: now });
      const [oldest] = gone.keys();
      if (gone.size > mostGone && oldest !== undefined) gone.delete(oldest);
    },
    forget,
    online: () => here.size,
    list: (limit) => [...here.values(), ...gone.values()].toSorted((a, b) => b.since - a.since).slice(0, limit),
  };
}
