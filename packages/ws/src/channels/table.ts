import type { CloseReason } from "@telex/core/transport";
import { channelFrames } from "./frames.ts";
import type { ChannelCapability, ChannelRow } from "./row.ts";

const { rooms, teleprinter, chat } = channelFrames;

type ChannelTable<T extends Readonly<Record<string, ChannelCapability>>> = {
  readonly [N in keyof T]: ChannelRow<T[N]>;
};

/**
 * All channels of Telex (interface 4.8). The server, the typed client, the AsyncAPI document and the reference derive from this
 * table. An operation, a connection command or an event without a row does not compile.
 */
export const channelTable = {
  rooms: {
    path: rooms.path,
    capability: "messages",
    summary: "Chat rooms: sends messages, and receives those of others.",
    scopes: ["chat"],
    query: {
      echo: "`1`: also what the same user sends over other connections.",
      more: "`1`: also events and fields that clients of the interface do not know, such as `notice`.",
      since:
        "A message id: first everything that the user missed, in order; then what happens, without a hole between.",
    },
    commands: {
      // Over HTTP.
      history: null,
      recall: null,
      files: null,
      search: null,
      uses: null,
      // Each room keeps its own order, see `messages.send`.
      send: {
        name: "sendGroupMessage",
        result: rooms.results.sendGroupMessage,
        field: "createTime",
        order: "together",
      },
      typing: { name: "typing", result: rooms.results.typing, cost: 0.2, order: "together" },
    },
    events: rooms.events,
    closes: [],
  },
  teleprinter: {
    path: teleprinter.path,
    capability: "teleprinter",
    summary: "With `deviceId`, the messages for one device; without it, all events of the user's devices.",
    scopes: ["chat", "device:{deviceId}"],
    query: {
      deviceId: "The device whose connection this is. Without it the connection watches all devices of the user.",
      ack: "`1`: a text counts as delivered when the device acknowledges it, not when the socket took it.",
      order: "`priority`: the most urgent texts first. With `ack=1`, at most two are on their way.",
    },
    commands: {
      register: null,
      rename: null,
      heartbeat: { name: "heartbeat", result: teleprinter.results.heartbeat, given: ["deviceId"] },
      offline: { name: "offline", result: teleprinter.results.offline, given: ["deviceId"] },
      poll: null,
      // The store keeps the order, because the operation calls it before its first await.
      sync: { name: "sync", result: teleprinter.results.sync, given: ["deviceId"], order: "together" },
      send: null,
      schedules: null,
      unschedule: null,
      devices: null,
      messages: null,
      unregister: null,
      // Cheap, because there is one for each message, and its sender has paid for it.
      ack: { name: "ack", result: teleprinter.results.ack, cost: 0.05, order: "together" },
    },
    events: teleprinter.events,
    closes: ["not_owner", "unregistered", "replaced", "in_use"],
  },
  chat: {
    path: chat.path,
    capability: "ai",
    summary: "AI chat: several conversations at the same time, and each reply in pieces.",
    scopes: ["chat"],
    query: {},
    commands: {
      setting: { name: "setting", result: chat.results.setting },
      chat: {
        name: "chat",
        result: chat.results.chat,
        pieces: chat.pieces,
        given: ["systemPrompt", "maxOutputTokens", "model"],
        order: "unordered",
      },
      // HTTP offers it in the form of another interface: /v1/chat/completions.
      complete: null,
      embed: null,
      embeddingModels: null,
      models: null,
      conversationMessages: null,
      amendConversation: null,
      deleteConversation: null,
      searchConversations: null,
      quota: null,
      conversations: null,
      tool: { name: "tool", result: chat.results.tool, order: "unordered" },
      stop: { name: "stop", result: chat.results.stop, order: "unordered" },
    },
    events: chat.events,
    closes: [],
  },
} as const satisfies ChannelTable<{ rooms: "messages"; teleprinter: "teleprinter"; chat: "ai" }>;

/** The name of a channel of Telex. */
export type ChannelName = keyof typeof channelTable;

/** Codes with which Telex closes connections (RFC 6455 7.4; from 4000 on they are its own), and what they mean. */
export const closeCodes: Readonly<Record<CloseReason, { readonly code: number; readonly meaning: string }>> = {
  stopping: { code: 1001, meaning: "the server stops" },
  draining: { code: 1012, meaning: "the server is about to restart; the client connects again, to another server" },
  too_slow: { code: 1013, meaning: "the client reads too slowly; it connects again, with `since`" },
  too_many: { code: 1013, meaning: "the client sends too much, or has too many sockets" },
  token_ended: { code: 4401, meaning: "the token is missing, or has ended" },
  not_owner: { code: 4403, meaning: "the device belongs to somebody else" },
  unregistered: { code: 4404, meaning: "the device is not registered, or not any more" },
  replaced: { code: 4409, meaning: "the connection of the device was taken over" },
  in_use: { code: 4409, meaning: "the device is connected already" },
};
