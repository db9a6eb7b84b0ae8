/** The part of Trusted Types that the pages use; browsers without it take the address as it is. */
interface TrustedTypesFactory {
  createPolicy(
    name: string,
    rules: { createScriptURL(address: string): string },
  ): { createScriptURL(address: string): string };
}

declare global {
  interface Window {
    readonly trustedTypes?: TrustedTypesFactory;
  }
}

const worker = `${import.meta.env.BASE_URL}sw.js`;

/** Lets the browser keep the files of these pages, so that they open without a network. Only built pages have a worker. */
export function registerOfflineShell(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  // The one script address that these pages make themselves; the server's policy allows the name.
  const policy = window.trustedTypes?.createPolicy("telex", { createScriptURL: () => worker });
  const address = policy?.createScriptURL(worker) ?? worker;
  navigator.serviceWorker.register(address, { scope: import.meta.env.BASE_URL }).catch(() => {
    // Without it, the pages need the network to open. Browsers also refuse it to private windows.
  });
}
