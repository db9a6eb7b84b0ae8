/** The limits that the interface fixes. Clients rely on them, so an installation cannot change them. */
export const interfaceLimits = {
  /** Code points of a teleprinter message, `send` and `sync` (interface 4.1). */
  deviceText: 2000,
  /** Code points of a device's name (interface 2.2). */
  deviceName: 128,
  /** Seconds that a poll may wait for a message. */
  pollWait: 60,
  /** Characters of a nonce. */
  nonceLength: 64,
  /** Pixels per side of an avatar (interface 4.4). */
  avatarSide: 512,
  /** Code points of the texts of one room message. */
  messageText: 10_000,
  /** Code points of a query for messages. */
  query: 128,
  /** Segments of one room message. */
  messageSegments: 100,
} as const;
