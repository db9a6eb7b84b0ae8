import { createAbandonable } from "./abandonable.ts";
import type { Wait } from "./attempts.ts";
import { dispatch, type ServiceRequest } from "./request.ts";
import { ServiceError } from "./service-error.ts";

/**
 * Reads the whole body of a response.
 * @param most maximum bytes
 * @param came called with the bytes that have come. An error that it throws ends the request
 * @throws ServiceError if the service refuses, sends more than `most` bytes or takes too long; the reason of the signal
 */
export function readWhole(
  wait: Wait,
  request: ServiceRequest,
  most: number,
  came: (bytes: number) => void,
): Promise<Buffer> {
  const { service, signal, watchdog } = wait;
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const call = createAbandonable({ signal, watchdog, what: "response", givenUp: reject });
  const chunks: Uint8Array[] = [];
  let size = 0;
  watchdog.wait();
  dispatch(service, request, {
    begun: call.begun,
    data(bytes) {
      size += bytes.length;
      if (size > most) throw new ServiceError("The AI service sent a response that is too large.");
      came(bytes.length);
      chunks.push(bytes);
    },
    over: (failure) => (failure === null ? resolve(Buffer.concat(chunks)) : reject(failure)),
  });
  return promise.finally(call.release);
}
