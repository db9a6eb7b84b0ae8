/** 128 random bits. `randomUUID` is not available in pages over plain HTTP. */
export const createNonce = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
