import type { DeviceView } from "@telex/core";

/**
 * The characters of a line on the paper of a device, which says `columns=48`.
 * @param usual for a device that says none
 */
export function paperColumns(device: DeviceView | undefined, usual: number): number {
  const said = device?.can?.find((word) => /^columns=[1-9]\d{0,2}$/.test(word));
  return said === undefined ? usual : Number(said.slice("columns=".length));
}
