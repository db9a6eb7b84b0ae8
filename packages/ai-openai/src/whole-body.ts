import type { Dispatcher } from "undici";
import type { Wait } from "./attempts.ts";
import { dispatch, type ServiceRequest } from "./request.ts";
import { ServiceError } from "./service-error.ts";

/**
 * The whole body of a response.
 * @param most bytes that it may have
 * @throws ServiceError if the service refuses, sends more than `most` bytes or takes too long; the reason of the signal
 */
export function readWhole(wait: Wait, request: ServiceRequest, most: number): Promise<Buffer> {
  const { service, signal, watchdog } = wait;
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  let controller: Dispatcher.DispatchController | null = null;
  let left: ServiceError | null = null;
  const leave = (why: ServiceError): void => {
    left ??= why;
    controller?.abort(why);
    reject(why);
  };
  const chunks: Uint8Array[] = [];
  let size = 0;
  const stop = (): void => leave(new ServiceError("The response is not wanted any more."));
  signal.addEventListener("abort", stop, { once: true });
  watchdog.onLate(() => leave(new ServiceError("The AI service does not go on.")));
  watchdog.wait();
  dispatch(service, request, {
    begun(connection) {
      controller = connection;
      if (left !== null) connection.abort(left);
    },
    data(bytes) {
      size += bytes.length;
      if (size > most) throw new ServiceError("The AI service sent a response that is too large.");
      chunks.push(bytes);
    },
    over: (failure) => (failure === null ? resolve(Buffer.concat(chunks)) : reject(failure)),
  });
  return promise.finally(() => signal.removeEventListener("abort", stop));
}
