import type { IncomingMessage } from "node:http";
import type { Incoming } from "./incoming.ts";

/** Milliseconds for the body of a request to arrive. */
const bodyTime = 30_000;

/** Maximum bytes of a small body. */
const smallSize = 2 ** 20;

/** How a body is read. */
interface BodyBounds {
  /** Maximum bytes of the body. */
  readonly most: number;
  /** Counts the bytes among those of unfinished frames. */
  readonly incoming: Incoming;
  /** Called when the request is cut, because all of them together take too much memory. */
  readonly tooMuch: () => void;
  /** Called before more than 1 MiB is read. If it throws, the body is refused with that error. */
  readonly large?: () => void;
}

/** Reading that waits while others take their turns. */
function createGate() {
  let gate: PromiseWithResolvers<void> | null = null;
  return {
    pause: (): void => void (gate ??= Promise.withResolvers()),
    resume: (): void => {
      gate?.resolve();
      gate = null;
    },
    passed: () => gate?.promise,
  };
}

/** Reads to the end. The request stays open if that throws, so that the refusal can be sent. */
async function gather(request: IncomingMessage, { most, incoming, tooMuch, large }: BodyBounds) {
  const { pause, resume, passed } = createGate();
  const arriving = incoming.open({
    pause,
    resume,
    tooMuch() {
      tooMuch();
      request.destroy();
      resume();
    },
  });
  const chunks: Buffer[] = [];
  let size = 0;
  const grow = (bytes: number): void => {
    if (size <= smallSize && size + bytes > smallSize) large?.();
    size += bytes;
  };
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
      if (size + bytes.length > most) return null;
      grow(bytes.length);
      arriving.came(bytes.length);
      chunks.push(bytes);
      await passed();
    }
  } finally {
    arriving.closed();
  }
  return Buffer.concat(chunks);
}

/**
 * The body of a request; null if it has more than `most` bytes. A request that is slower than 30 s is cut off. Rejects if it breaks off,
 * and with what `large` throws.
 */
export async function readRequest(request: IncomingMessage, bounds: BodyBounds): Promise<Buffer | null> {
  const announced = Number(request.headers["content-length"] ?? 0);
  if (announced > bounds.most) return null;
  const timer = setTimeout(() => request.destroy(), bodyTime);
  try {
    return await gather(request, bounds);
  } finally {
    clearTimeout(timer);
  }
}

/** The text of a response; null if it has more than `most` bytes. */
export async function readResponse(response: Response, most: number): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const body: AsyncIterable<Uint8Array> = response.body ?? new Blob().stream();
  for await (const chunk of body) {
    size += chunk.length;
    if (size > most) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** The headers that the status of a response needs. */
export const headersOfStatus = (status: number): Readonly<Record<string, string>> => ({
  ...(status === 401 && { "www-authenticate": 'Bearer realm="onebot"' }),
  ...(status === 405 && { allow: "POST" }),
  ...((status === 429 || status === 503) && { "retry-after": "1" }),
  ...(status === 413 && { connection: "close" }),
});
