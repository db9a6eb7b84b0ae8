import { type CheckedMessage, type GatewayInbox, incomingMessage, type IncomingReceipt } from "@telex/core";

const stored: IncomingReceipt = { outcome: "stored", groupId: 1, messageId: 1 };

/** An inbox that keeps the messages of a gateway. */
interface Inbox {
  readonly inbox: GatewayInbox;
  /** The valid messages. */
  readonly messages: readonly CheckedMessage[];
  /** The errors of the other ones. */
  readonly malformed: readonly unknown[];
}

/** @param answer the receipt for every message */
export function createInbox(answer: () => Promise<IncomingReceipt> = () => Promise.resolve(stored)): Inbox {
  const messages: CheckedMessage[] = [];
  const malformed: unknown[] = [];
  const inbox: GatewayInbox = {
    receive(message) {
      const { data, error } = incomingMessage.safeParse(message);
      if (data === undefined) malformed.push(error);
      else messages.push(data);
      return answer();
    },
    recall: () => Promise.resolve({ outcome: "unknown_message" }),
    react: () => Promise.resolve({ outcome: "unknown_message" }),
    listRooms: () => Promise.resolve([]),
  };
  return { inbox, messages, malformed };
}
