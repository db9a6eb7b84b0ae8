import type { Page } from "playwright-core";

/** Gives a page an authenticator of the browser itself, which takes every question as the person would. */
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
    /** False: the person does not prove who they are. */
    verify: async (isUserVerified: boolean) =>
      await session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }),
  };
}
