/** The part of Trusted Types that the pages use. Browsers without it accept the URL as a string. */
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

/** Registers the service worker, which keeps the files of the pages so that they open without a network. Only built pages have it. */
export function registerOfflineShell(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  // The only script URL that the pages create themselves. The Content-Security-Policy allows this policy name.
  const policy = window.trustedTypes?.createPolicy("telex", { createScriptURL: () => worker });
  const address = policy?.createScriptURL(worker) ?? worker;
  navigator.serviceWorker.register(address, { scope: import.meta.env.BASE_URL }).catch(() => {
    // If this fails, the pages need the network to open. Browsers also reject service workers in private windows.
  });
}
