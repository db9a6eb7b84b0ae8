import type { IncomingMessage } from "node:http";

/**
 * Reads the body of a request of a `NodeMount`. The stream stays open after a refusal, so that the client can read it.
 * @param most bytes
 * @returns null for a body that is larger, or broke off
 */
export function readMountBody(req: IncomingMessage, most: number): Promise<Buffer | null> {
  const { promise, resolve } = Promise.withResolvers<Buffer | null>();
  const parts: Buffer[] = [];
  let bytes = 0;
  const give = (): void => resolve(null);
  req.on("data", (part: Buffer) => {
    bytes += part.length;
    if (bytes > most) give();
    else parts.push(part);
  });
  req.once("end", () => resolve(bytes > most ? null : Buffer.concat(parts)));
  req.once("error", give).once("close", give);
  return promise;
}
