/** 32 hexadecimal digits, and a suffix of a dot and letters or digits. Safe as a file name and as a key on any system. */
const pattern = /^[0-9a-f]{32}(?:\.[A-Za-z0-9]{1,32})?$/;

/** True for a name that core gives to blobs. */
export const isBlobId = (name: string): boolean => pattern.test(name);

/**
 * Checks that a name has the form of a blob id before the store uses it.
 * @throws TypeError
 */
export function assertBlobId(blobId: string): void {
  if (isBlobId(blobId)) return;
  throw new TypeError("A blob's name must be 32 lower-case hexadecimal digits, with a suffix like .jpg or without.");
}
