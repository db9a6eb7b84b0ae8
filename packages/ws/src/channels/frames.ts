/**
 * The facts that a client needs about each channel: its path, and the `type` of its events, of the result of each command, and of
 * the frames that precede a result. {@link channelTable} holds the rest, so that pages need not load it.
 */
export const channelFrames = {
  rooms: {
    path: "/external/api/v1/im/imWebSocket",
    events: {
      message: "GroupMessage",
      gap: "Gap",
      message_recalled: "GroupMessageRecalled",
      message_edited: "GroupMessageEdited",
      message_reaction: "GroupMessageReaction",
      read_marker: "ReadMarker",
      group_changed: "GroupChanged",
      typing: "Typing",
    },
    results: { sendGroupMessage: "SendMessageResult", typing: "TypingResult" },
    pieces: {},
  },
  teleprinter: {
    path: "/external/api/v1/teleprinter/webSocket",
    events: {
      device_message: "TeleprinterMessage",
      device_delivered: "TeleprinterDelivered",
      device_presence: "TeleprinterPresence",
    },
    results: { heartbeat: "HeartbeatResult", offline: "OfflineResult", sync: "SyncResult", ack: "AckResult" },
    pieces: {},
  },
  chat: {
    path: "/external/api/v1/sseStream/webSocket",
    events: {},
    results: { setting: "SettingResult", chat: "ChatResult", stop: "StopResult", tool: "ToolResult" },
    pieces: { delta: "ChatDelta", toolRequest: "ChatToolRequest", tool: "ChatTool" },
  },
} as const;
