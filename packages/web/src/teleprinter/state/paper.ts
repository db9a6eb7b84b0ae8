import type { DeviceView } from "@telex/core";

/**
 * The number of characters per line of a device, which reports it as `columns=48`.
 * @param usual the result for a device that does not report it
 */
export function paperColumns(device: DeviceView | undefined, usual: number): number {
  const said = device?.can?.find((word) => /^columns=[1-9]\d{0,2}$/.test(word));
  return said === undefined ? usual : Number(said.slice("columns=".length));
}
