/** The origin of a message that was said on a device. */
export class DeviceOrigin {
  readonly deviceId: string;

  constructor(deviceId: string) {
    this.deviceId = deviceId;
  }
}

/** The device on which a message was said, or null. */
export const deviceOf = (origin: object | null): string | null =>
  origin instanceof DeviceOrigin ? origin.deviceId : null;
