/** Opcodes of RFC 6455, with the bit that marks a frame as a whole message. */
const opcodes = { text: 0x81, binary: 0x82, ping: 0x89, pong: 0x8a } as const;

const smallLength = 126;
const mediumLength = 0x1_00_00;

function writeHeader(frame: Buffer, opcode: number, length: number): void {
  frame.writeUInt8(opcode, 0);
  if (length < smallLength) {
    frame.writeUInt8(length, 1);
  } else if (length < mediumLength) {
    frame.writeUInt8(126, 1);
    frame.writeUInt16BE(length, 2);
  } else {
    frame.writeUInt8(127, 1);
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
}

const headerLength = (length: number): number => (length < smallLength ? 2 : length < mediumLength ? 4 : 10);

/** Encodes a text message as one unmasked WebSocket frame with its header, as servers send it. */
export function encodeText(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const start = headerLength(length);
  const frame = Buffer.allocUnsafe(start + length);
  writeHeader(frame, opcodes.text, length);
  frame.write(text, start);
  return frame;
}

/** Encodes a binary message as one unmasked WebSocket frame with its header, as servers send it. */
export function encodeBinary(content: Uint8Array): Buffer {
  const start = headerLength(content.length);
  const frame = Buffer.allocUnsafe(start + content.length);
  writeHeader(frame, opcodes.binary, content.length);
  frame.set(content, start);
  return frame;
}

/** A ping without content. */
export const encodePing = (): Buffer => Buffer.from([opcodes.ping, 0]);

/** A pong with this content, which RFC 6455 limits to 125 bytes. */
export function encodePong(content: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(2 + content.length);
  writeHeader(frame, opcodes.pong, content.length);
  frame.set(content, 2);
  return frame;
}
