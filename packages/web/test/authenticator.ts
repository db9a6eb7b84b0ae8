import type { Page } from "playwright-core";

/** Adds a virtual authenticator to a page. It consents to all requests. */
export async function useAuthenticator(page: Page, transport: "internal" | "usb" = "internal") {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable", { enableUI: false });
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    count: async () => (await session.send("WebAuthn.getCredentials", { authenticatorId })).credentials.length,
    /** With false, user verification fails. */
    verify: async (isUserVerified: boolean) =>
      await session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }),
  };
}
