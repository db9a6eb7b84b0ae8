import type { GatewayFile } from "../gateway-types.ts";

/** Maximum bytes in a frame. A larger file is sent by its address. */
const maxInFrame = 8 * 2 ** 20;

async function readAll(file: GatewayFile): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of await file.open()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** A file as base64, or null if it is too large for a frame. */
export const toBase64 = async (file: GatewayFile): Promise<string | null> =>
  file.size > maxInFrame ? null : (await readAll(file)).toString("base64");

/** A file as OneBot 11 expects it: its bytes, otherwise its address; null if it is too large and has none. */
export async function toSource(file: GatewayFile): Promise<string | null> {
  const bytes = await toBase64(file);
  return bytes === null ? file.url() : `base64://${bytes}`;
}
