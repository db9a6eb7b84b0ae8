/** Milliseconds after which no browser reads the address any more. */
const addressLife = 60_000;

/** Lets the browser save bytes as a file. */
export function saveBlob(bytes: Blob, name: string): void {
  const address = URL.createObjectURL(bytes);
  Object.assign(document.createElement("a"), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), addressLife);
}
