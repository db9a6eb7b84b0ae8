/**
 * What a client must know of each channel of Telex before it is told: its path, its events, and the frames that come before the
 * result of a command. The rest, which pages need not load, is in {@link channelTable}.
 */
export const channelFrames = {
  rooms: {
    path: "/external/api/v1/im/imWebSocket",
    events: { message: "GroupMessage", gap: "Gap" },
    pieces: {},
  },
  teleprinter: {
    path: "/external/api/v1/teleprinter/webSocket",
    events: {
      device_message: "TeleprinterMessage",
      device_delivered: "TeleprinterDelivered",
      device_presence: "TeleprinterPresence",
    },
    pieces: {},
  },
  chat: {
    path: "/external/api/v1/sseStream/webSocket",
    events: {},
    pieces: { delta: "ChatDelta" },
  },
} as const;
