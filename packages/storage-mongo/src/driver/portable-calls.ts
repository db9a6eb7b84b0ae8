import type { AiStore, MessageStore, Settlement, TeleprinterStore } from "@telex/core/storage";

/** The input of settling a reservation that stores no turn of a conversation. */
export interface SettleCall {
  readonly userId: number;
  readonly reservationId: string;
  readonly used: Settlement["used"];
}

/**
 * A call that any server can run, as a document: its only field is named after the verb and contains the input as plain data. Times are those
 * of the database.
 */
export interface PortableCall {
  readonly message?: Parameters<MessageStore["append"]>[0];
  readonly deviceText?: Parameters<TeleprinterStore["append"]>[0];
  readonly reserve?: Parameters<AiStore["reserve"]>[0];
  readonly settle?: SettleCall;
}

/** The result of a {@link PortableCall} in the same form. */
export interface PortableResult {
  readonly message?: Awaited<ReturnType<MessageStore["append"]>>;
  readonly deviceText?: Awaited<ReturnType<TeleprinterStore["append"]>>;
  readonly reserve?: Awaited<ReturnType<AiStore["reserve"]>>;
  readonly settle?: boolean;
}
