import { cupsPort } from "./cups.ts";
import { devicePort } from "./device-file.ts";
import type { PrinterPort } from "./port.ts";
import { tcpPort } from "./tcp.ts";

const customPort = 9100;

function tcpOf(place: string): PrinterPort | null {
  const url = URL.parse(place);
  if (url === null || url.hostname === "" || url.pathname.length > 1 || url.username !== "" || url.search !== "")
    return null;
  return tcpPort(url.hostname.replaceAll(/[[\]]/g, ""), url.port === "" ? customPort : Number(url.port));
}

/**
 * The printer at a place.
 * @param place `tcp://<host>:<port>` (9100 by default), `cups:<name>`, or the path of a device such as `/dev/usb/lp0`
 * @throws TypeError for any other text
 */
export function openPort(place: string): PrinterPort {
  const cups = /^cups:(\w[\w.+-]{0,126})$/.exec(place)?.[1];
  const port = place.startsWith("tcp://") ? tcpOf(place) : null;
  if (port !== null) return port;
  if (cups !== undefined) return cupsPort(cups);
  if (/^\/[^\0]{1,1000}$/.test(place)) return devicePort(place);
  throw new TypeError("A printer is at tcp://<host>:<port>, at a path such as /dev/usb/lp0, or at cups:<name>.");
}
