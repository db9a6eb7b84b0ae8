export class DeviceOrigin {
  readonly deviceId: string;

  constructor(deviceId: string) {
    this.deviceId = deviceId;
  }
}

export const deviceOf = (origin: object | null): string | null =>
  origin instanceof DeviceOrigin ? origin.deviceId : null;
