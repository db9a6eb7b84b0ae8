/** A device that came or went, with what it said about itself. */
export interface SeenDevice {
  readonly deviceId: string;
  readonly name: string;
  readonly online: boolean;
  readonly transport?: string | undefined;
  readonly program?: string | undefined;
}

/** A device with the time of its last coming or going, in Unix milliseconds. */
type Kept = SeenDevice & { readonly since: number };

/** Devices that have gone and are still shown. */
const mostGone = 1000;

/** The devices that are online, and those that went last. */
export interface Devices {
  readonly see: (device: SeenDevice, now: number) => void;
  readonly forget: (deviceId: string) => void;
  readonly online: () => number;
  /** The last that came or went first. */
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
