import type { connectionCommands, Contracts, liveEvents } from "@telex/core/contract";
import type { CloseReason } from "@telex/core/transport";
import type { CommandOrder } from "./channel.ts";
import { channelFrames } from "./frames.ts";

/** The capabilities that have a channel. */
export type ChannelCapability = keyof typeof liveEvents;

/** The kinds of pieces of an output; never for an output without pieces. */
type PieceKind<Op> = Op extends { readonly pieces: infer P } ? keyof P & string : never;

/** A command for `Op`. If the output comes in pieces, the row names the frame of each piece; `result` is the last one. */
type CommandFor<Op> = CommandRow &
  ([PieceKind<Op>] extends [never]
    ? { readonly pieces?: never }
    : { readonly pieces: { readonly [K in Exclude<PieceKind<Op>, "result">]: string } });

/** One command of a channel. */
export interface CommandRow {
  /** The `command` of the frame. */
  readonly name: string;
  /** The `type` of the frame that answers it. */
  readonly result: string;
  /** The field of the output that is the `data` of the result. Default: the whole output. */
  readonly field?: string;
  /** Fields of the input that the connection provides instead of the frame. */
  readonly given?: readonly string[];
  /** How many calls it counts as in the rate limit of its caller. Default 1. */
  readonly cost?: number;
  /** When it runs and when its result leaves. Default `alone`. */
  readonly order?: CommandOrder;
}

/** A row for each operation of a capability and each connection command; null if the channel does not offer it. */
type CommandsFor<C extends ChannelCapability> = {
  readonly [O in keyof Contracts[C]]: CommandFor<Contracts[C][O]> | null;
} & { readonly [O in keyof (typeof connectionCommands)[C]]: CommandRow };

/** The row of one channel. */
export interface ChannelRow<C extends ChannelCapability> {
  /** The path below the base. The token may follow as its last segment. */
  readonly path: string;
  readonly capability: C;
  readonly summary: string;
  /** Scopes, any of which admits; `{deviceId}` is the field of the query. */
  readonly scopes: readonly string[];
  /** The fields of the query, each with its description. */
  readonly query: Readonly<Record<string, string>>;
  readonly commands: CommandsFor<C>;
  /** The `type` of the frame of each kind of event. */
  readonly events: { readonly [K in keyof (typeof liveEvents)[C]]: string };
  /** Reasons to close its connections, in addition to the common ones. */
  readonly closes: readonly CloseReason[];
}

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
    summary: "Chat rooms: sends messages, and mirrors what others send.",
    scopes: ["chat"],
    query: {
      echo: "`1`: also what the same user sends over other connections.",
      since:
        "A message id: first everything that the user missed, in order; then what happens, without a hole between.",
    },
    commands: {
      // Over HTTP.
      history: null,
      recall: null,
      files: null,
      search: null,
      // Each room keeps its own order, see `messages.send`.
      send: {
        name: "sendGroupMessage",
        result: rooms.results.sendGroupMessage,
        field: "createTime",
        order: "together",
      },
    },
    events: rooms.events,
    closes: [],
  },
  teleprinter: {
    path: teleprinter.path,
    capability: "teleprinter",
    summary: "With `deviceId` the feed of a device; without it everything that happens to the user's devices.",
    scopes: ["chat", "device:{deviceId}"],
    query: {
      deviceId: "The device whose connection this is. Without it the connection watches all devices of the user.",
      ack: "`1`: a text counts as delivered when the device acknowledges it, not when the socket took it.",
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
    summary: "AI chat: several conversations simultaneously, each reply piece by piece.",
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
      quota: null,
      conversations: null,
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
