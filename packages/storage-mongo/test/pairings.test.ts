import { expect, it } from "vitest";
import { newDatabase, openStorage } from "./support/database.ts";

it("a pairing that a server of the previous version has confirmed has no end of its issuer", async () => {
  const { pairings, connection } = await openStorage({ url: newDatabase() });
  const now = 1_800_000_000_000;
  const [codeDigest, secretDigest] = ["c", "s"];
  const device = { deviceId: "printer", name: "Printer" };
  await pairings.issuePairing({ codeDigest, secretDigest, ...device, expiresAt: now + 1000, now });
  await pairings.claimPairing({ codeDigest, userId: 7, now });
  await pairings.confirmPairing({ codeDigest, userId: 7, now, issuedBy: 12, issuerEndsAt: now + 1000 });
  await connection.db.collection("pairings").updateOne({ secretDigest }, { $unset: { issuerEndsAt: "" } });
  const confirmed = { outcome: "confirmed", deviceId: "printer", userId: 7, issuedBy: 12, issuerEndsAt: null };
  expect(await pairings.consumePairing({ secretDigest, now })).toEqual(confirmed);
});
