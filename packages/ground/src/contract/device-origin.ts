/** The origin of a text that a device sent: the text is not sent back to this device. */
export class DeviceOrigin {
  readonly deviceId: string;

  constructor(deviceId: string) {
    this.deviceId = deviceId;
  }
}

/** The id of the device that an origin names, or null. */
export const deviceOf = (origin: object | null): string | null =>
  origin instanceof DeviceOrigin ? origin.deviceId : null;
