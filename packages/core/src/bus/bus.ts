import type { AccountQuestion } from "../gateways/questions.ts";
import type { LiveEvent } from "../live/live.ts";
import type { MessageRecord } from "../records/messages.ts";
import type { DeviceRecord } from "../records/teleprinter.ts";

/** What the pages of a user are told about a text of a device. */
export type DeviceTextEvent = Extract<LiveEvent, { readonly kind: "device_message" | "device_delivered" }>;

/**
 * Something that one server tells the other servers of its installation. It is plain JSON. A later version may add kinds:
 * a server ignores kinds that it does not know.
 */
export type BusEvent =
  /**
   * A message of a room was stored. `record.seq` shows a receiver whether it has missed others of the room. `sent`: the id that it had
   * in the outbox, if another server may have accepted it.
   */
  | { readonly kind: "message"; readonly record: MessageRecord; readonly sent?: string }
  /** Something to tell the pages of this user. */
  | { readonly kind: "device_text"; readonly owner: number; readonly event: DeviceTextEvent }
  /** A device came, went, or was changed. */
  | { readonly kind: "device_presence"; readonly device: DeviceRecord }
  /** Something may wait for this device: polls and connections of the device ask the store. */
  | { readonly kind: "device_wake"; readonly deviceId: string }
  /**
   * A user now has a connection to the chat rooms of this server, or no longer has one. `version` counts the changes of a server
   * from 1, so that a receiver sees whether it has missed one.
   */
  | {
      readonly kind: "room_presence";
      readonly server: string;
      readonly version: number;
      readonly userId: number;
      readonly online: boolean;
    }
  /** Who is connected to the chat rooms of this server after the change `version`; null: only that the server is there. */
  | {
      readonly kind: "room_presence_state";
      readonly server: string;
      readonly version: number;
      readonly userIds: readonly number[] | null;
    }
  /** Asks a server who is connected to its chat rooms. */
  | { readonly kind: "room_presence_ask"; readonly server: string }
  /** The reader `asker` asks for the events of a model's reply after the one of this number, on the server that runs it. */
  | {
      readonly kind: "reply_ask";
      readonly reply: string;
      readonly userId: number;
      readonly after: number;
      readonly asker: string;
      readonly number: number;
    }
  /** Answers the question of this number. */
  | {
      readonly kind: "reply_part";
      readonly reply: string;
      readonly asker: string;
      readonly number: number;
      readonly texts: readonly string[];
      readonly isOver: boolean;
    }
  /**
   * The server `asker` asks the server `server` to do something with an account that `server` has. It asks again until it is
   * answered: a question with the same `key` is the same question.
   */
  | {
      readonly kind: "account_ask";
      readonly server: string;
      readonly asker: string;
      readonly key: string;
      readonly question: AccountQuestion;
    }
  /** Answers the question with this key of the server `server`, as JSON; null: it is being done. */
  | { readonly kind: "account_answer"; readonly server: string; readonly key: string; readonly answer: string | null }
  /** A token has ended: its connections are closed. */
  | { readonly kind: "token_ended"; readonly tokenId: number };

/** The place of one server on a bus. */
export interface BusMember {
  /**
   * Tells the other members. MUST return without waiting and MUST NOT throw, whatever happens to the network: what cannot be
   * sent is lost. MUST NOT change the event.
   */
  publish(event: BusEvent): void;
  /**
   * From now on this member also receives the events of a topic: see `busTopicOf`. Events without a topic reach every member.
   * Resolves when they arrive, or soon if the network is gone; MUST NOT reject. It is not called again for a topic before
   * `unfollow`. A bus MAY give a member events of topics that it does not follow.
   */
  follow(topic: string): Promise<void>;
  /** The member no longer needs the events of a topic. MUST return without waiting, and MUST NOT throw. */
  unfollow(topic: string): void;
  /** Leaves the bus. When it has resolved, `receive` MUST NOT be called again. Resolves also if the network is gone. */
  leave(): Promise<void>;
}

/**
 * What connects the servers of one installation. A bus MAY lose, double, delay and reorder events: the store is the truth,
 * and a receiver that misses something reads it there. What a bus loses is seen later, never wrongly.
 */
export interface Bus {
  /**
   * Takes a server in, and resolves when it receives what others publish from then on. MAY resolve earlier if the network is
   * gone: the member then receives what is published after the network has come back.
   *
   * `receive` MUST be called with an event that is equal to what was published. It MUST NOT be called for what the member
   * published itself, for events of another installation, or before the `publish` of the event has returned. It never
   * throws, and returns immediately.
   */
  join(receive: (event: BusEvent) => void): Promise<BusMember>;
}
