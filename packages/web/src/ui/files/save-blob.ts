/** The delay before the URL of the file is revoked, in milliseconds. By then, every browser has read it. */
const addressLife = 60_000;

/** Saves bytes as a file. */
export function saveBlob(bytes: Blob, name: string): void {
  const address = URL.createObjectURL(bytes);
  Object.assign(document.createElement("a"), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), addressLife);
}
