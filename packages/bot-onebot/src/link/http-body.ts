import type { IncomingMessage } from "node:http";

/** Milliseconds for the body of a request to arrive. */
const bodyTime = 30_000;

/** The text of a request; null if it has more than `most` bytes. A request that is slower than 30 s is cut off. */
export async function readRequest(request: IncomingMessage, most: number): Promise<string | null> {
  const timer = setTimeout(() => request.destroy(), bodyTime);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request) {
      const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
      size += bytes.length;
      if (size > most) return null;
      chunks.push(bytes);
    }
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks).toString();
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
