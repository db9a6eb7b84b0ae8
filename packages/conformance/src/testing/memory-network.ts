import {
  type Gateway,
  type GatewayAccount,
  type GatewayInbox,
  type GatewayMessage,
  type GatewayOutcome,
  type GatewayPart,
  type GatewayReaction,
  type GatewayRecall,
  type IncomingMessage,
  type IncomingReaction,
  type IncomingReceipt,
  type IncomingRecall,
  type NetworkRoom,
  type ReactionOutcome,
  type ReactionReceipt,
  type RecallReceipt,
  TelexError,
} from "@telex/core";

/**
 * Treatment of messages that the gateway sends: `take` them, `echo` them to the account before the answer, `refuse` them, or take them
 * and never answer (`silent`).
 */
export type NetworkMood = "take" | "echo" | "refuse" | "silent";

/** A message that the network has. */
export interface NetworkMessageSent {
  readonly messageId: string;
  readonly account: string;
  readonly room: NetworkRoom;
  readonly parts: readonly GatewayPart[];
}

/** An external network in memory, with one gateway and one account. */
export interface MemoryNetwork {
  readonly gateway: Gateway;
  /** The messages that the network got from the gateway, in order. */
  readonly sent: readonly NetworkMessageSent[];
  /** The recalls of the gateway in the network, in order. */
  readonly recalled: readonly GatewayRecall[];
  /** The reactions of the gateway in the network, in order. */
  readonly reacted: readonly GatewayReaction[];
  /** The treatment of the messages that follow. */
  mood: NetworkMood;
  /** True while the connection is open and the account is signed in. */
  isConnected: boolean;
  isOnline: boolean;
  /**
   * Lets a person send a message in the network. Defaults: `1001` in the group `500`, now, under a new id.
   * @throws the TelexError of the inbox; `bot_offline` if the gateway does not receive now
   */
  say(message: Partial<IncomingMessage>): Promise<IncomingReceipt>;
  /**
   * Lets a person recall a message in the network, by default in the group `500`.
   * @throws TelexError as `say`
   */
  unsay(recall: Pick<IncomingRecall, "messageId"> & Partial<IncomingRecall>): Promise<RecallReceipt>;
  /**
   * Lets a person react to a message in the network. Defaults: `1001` in the group `500`, 👍.
   * @throws TelexError as `say`, `limit_reached`
   */
  feel(reaction: Pick<IncomingReaction, "messageId"> & Partial<IncomingReaction>): Promise<ReactionReceipt>;
}

/** Options of {@link createMemoryNetwork}. */
export interface MemoryNetworkOptions {
  /** The name of the gateway. Default `memory`. */
  readonly name?: string;
  /** Its account and network, and the types of rooms that it serves. Default: `bot-1` in `memory`, official, for all types. */
  readonly account?: Partial<Pick<GatewayAccount, "account" | "network" | "groupTypes">>;
}

const textOf = (part: GatewayPart): string => (part.kind === "text" ? part.text : `[${part.kind}]`);

/** The parts of a message as one text, pictures and files by their kinds. */
export const textOfParts = (parts: readonly GatewayPart[]): string => parts.map(textOf).join("");

const echoOf = ({ messageId, account, room, parts }: NetworkMessageSent): Partial<IncomingMessage> => ({
  messageId,
  account,
  room,
  sender: { ext: "9000", name: "the bot itself" },
  isOwn: true,
  segments: [{ type: "text", data: { text: textOfParts(parts) } }],
});

/** A message of any content. */
const somethingSaid = (): Omit<IncomingMessage, "account" | "messageId"> => ({
  room: { kind: "group", ext: "500" },
  sender: { ext: "1001", name: "陌生人" },
  createTime: Date.now(),
  segments: [{ type: "text", data: { text: "hello" } }],
});

const reactionOutcomes: Readonly<Record<NetworkMood, ReactionOutcome>> = {
  take: { outcome: "done" },
  echo: { outcome: "done" },
  refuse: { outcome: "refused", detail: "the network says no" },
  silent: { outcome: "unknown" },
};

/** The people of a network. `open`: the inbox of its gateway; throws while the gateway does not receive. */
function createPeople(
  account: string,
  nextId: () => string,
  open: () => GatewayInbox,
): Pick<MemoryNetwork, "say" | "unsay" | "feel"> {
  const { room } = somethingSaid();
  return {
    say: async (message) => open().receive({ ...somethingSaid(), account, messageId: nextId(), ...message }),
    unsay: async (recall) => open().recall({ account, room, ...recall }),
    feel: async (reaction) => open().react({ account, room, operator: "1001", emoji: "👍", ...reaction }),
  };
}

/** A network for tests and examples: an array replaces the connection of a real gateway. */
export function createMemoryNetwork({
  name = "memory",
  account: given = {},
}: MemoryNetworkOptions = {}): MemoryNetwork {
  const account = { account: "bot-1", network: "memory", groupTypes: [0, 3, 4, 5] as const, ...given };
  const sent: NetworkMessageSent[] = [];
  const recalled: GatewayRecall[] = [];
  const reacted: GatewayReaction[] = [];
  let inbox: GatewayInbox | null = null;
  let lastId = 0;
  const nextId = (): string => `m-${(lastId += 1)}`;
  const isOfficial = account.groupTypes.some((type) => type === 0 || type === 3);
  const isOpen = (): boolean => inbox !== null && network.isConnected && network.isOnline;

  const send = async ({ account: by, room, parts, begin, signal }: GatewayMessage): Promise<GatewayOutcome> => {
    if (!isOpen()) return { outcome: "offline" };
    await begin();
    if (network.mood === "refuse") return { outcome: "refused", detail: "the network says no" };
    const message = { messageId: nextId(), account: by, room, parts };
    sent.push(message);
    // Not awaited: the inbox may wait for the answer that comes after it.
    if (network.mood === "echo") network.say(echoOf(message)).catch(() => undefined);
    if (network.mood === "silent") await new Promise((resolve) => signal.addEventListener("abort", resolve));
    return network.mood === "silent" ? { outcome: "unknown" } : { outcome: "delivered", messageId: message.messageId };
  };

  const accountNow = (): GatewayAccount => ({
    ...account,
    isConnected: inbox !== null && network.isConnected,
    isOnline: network.isOnline,
  });
  const network: MemoryNetwork = {
    gateway: {
      name,
      findAccount: (asked) => (asked === account.account || (asked === null && isOfficial) ? accountNow() : null),
      listAccounts: () => [accountNow()],
      start(opened) {
        inbox = opened;
        return Promise.resolve();
      },
      send,
      recall: (asked) => Promise.resolve(recalled.push(asked) > 0 && network.mood !== "refuse"),
      react: (asked) => Promise.resolve(reactionOutcomes[reacted.push(asked) > 0 ? network.mood : "take"]),
      close() {
        inbox = null;
        return Promise.resolve();
      },
    },
    sent,
    recalled,
    reacted,
    mood: "take",
    isConnected: true,
    isOnline: true,
    ...createPeople(account.account, nextId, () => {
      if (inbox === null || !network.isConnected) throw new TelexError("bot_offline");
      return inbox;
    }),
  };
  return network;
}
