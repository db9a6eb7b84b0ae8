/** The events of the security log. `docs/operating.md` explains each one. */
export const securityEvents = [
  "token.refused",
  "access.refused",
  "rate.limited",
  "pairing.requested",
  "pairing.confirmed",
  "device.changed",
  "device.read",
  "device.unregistered",
  "token.issued",
  "token.revoked",
  "user.added",
  "user.changed",
  "user.removed",
  "account.opened",
  "account.entered",
  "account.refused",
  "account.changed",
  "account.recovered",
  "session.ended",
  "link.made",
  "link.revoked",
  "group.changed",
  "group.joined",
  "message.recalled",
  "quota.changed",
  "bot.changed",
  "file.quarantined",
  "files.swept",
] as const;

/** One word of {@link securityEvents}. */
export type SecurityEvent = (typeof securityEvents)[number];
