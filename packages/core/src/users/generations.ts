/** The generations of devices, as their store knows them. */
export interface DeviceGenerations {
  /** The generation of a device; 0 for one that was never raised. */
  findGeneration(deviceId: string): Promise<number>;
}
