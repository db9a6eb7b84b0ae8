/** Splits a stream of bytes into packets. */
interface Framer {
  /** Calls `packet` for the packets that these bytes complete. */
  push(bytes: Buffer): void;
}

interface FramerDeps {
  /** Maximum bytes of a packet with its header. */
  readonly limit: number;
  readonly packet: (bytes: Buffer) => void;
  /** Called once, before more of the packet is buffered. Later bytes are ignored. */
  readonly failed: (fault: "too_large" | "malformed") => void;
}

/** Bytes of the longest header: the type and a length of four bytes. */
const longestHeader = 5;

const empty = Buffer.alloc(0);

/** The size of a packet with its header; null if the header is not complete, -1 if it is not valid. */
function sizeOf(bytes: Buffer): number | null {
  let length = 0;
  for (const [index, byte] of bytes.subarray(1, longestHeader).entries()) {
    length += (byte & 0x7f) * 128 ** index;
    if (byte < 0x80) return length + index + 2;
  }
  return bytes.length < longestHeader ? null : -1;
}

/** The bytes of an incomplete packet. The buffer grows with the received bytes, not with the length in the header. */
function createKept() {
  let buffer = empty;
  let length = 0;
  return {
    length: () => length,
    add(bytes: Buffer, most: number): void {
      if (length + bytes.length > buffer.length) {
        const grown = Buffer.allocUnsafe(Math.min(most, Math.max(length + bytes.length, 2 * buffer.length)));
        buffer.copy(grown, 0, 0, length);
        buffer = grown;
      }
      bytes.copy(buffer, length);
      length += bytes.length;
    },
    bytes: (): Buffer => buffer.subarray(0, length),
    clear(): void {
      buffer = empty;
      length = 0;
    },
  };
}

export function createFramer({ limit, packet, failed }: FramerDeps): Framer {
  const kept = createKept();
  /** `size`: the size of the packet in progress; 0 while its header is incomplete. */
  const state = { size: 0, hasFailed: false };
  const fail = (fault: "too_large" | "malformed"): void => {
    state.hasFailed = true;
    kept.clear();
    failed(fault);
  };
  /** Takes the next bytes of a header, and returns the rest. */
  const readHeader = (bytes: Buffer): Buffer => {
    const before = kept.length();
    const head = before === 0 ? bytes : Buffer.concat([kept.bytes(), bytes.subarray(0, longestHeader)]);
    const size = sizeOf(head);
    if (size === null) {
      kept.add(bytes, longestHeader);
      return empty;
    }
    if (size === -1 || size > limit) fail(size === -1 ? "malformed" : "too_large");
    state.size = size;
    return bytes;
  };
  /** Takes the next bytes of a packet whose size is known, and returns the rest. */
  const readBody = (bytes: Buffer): Buffer => {
    const part = bytes.subarray(0, state.size - kept.length());
    if (kept.length() === 0 && part.length === state.size) packet(part);
    else {
      kept.add(part, state.size);
      if (kept.length() < state.size) return empty;
      const whole = kept.bytes();
      kept.clear();
      packet(whole);
    }
    state.size = 0;
    return bytes.subarray(part.length);
  };
  return {
    push(bytes) {
      let rest = bytes;
      while (rest.length > 0 && !state.hasFailed) {
        if (state.size === 0) rest = readHeader(rest);
        if (state.size > 0 && !state.hasFailed && rest.length > 0) rest = readBody(rest);
      }
    },
  };
}
