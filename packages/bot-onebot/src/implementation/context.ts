import type { Telex, TokenHolder } from "@telex/core";
import type { InTurn } from "@telex/core/transport";
import type { createSlots } from "@telex/ws/acceptor";
import type { BotFaults } from "../link/faults.ts";
import type { FetchMedia } from "../account/media.ts";
import type { Version } from "../wire/dialect.ts";
import type { Load } from "./connections/load.ts";
import type { MessageRooms } from "./rooms/message-rooms.ts";
import type { RoomBook } from "./rooms/room-book.ts";
import type { StagedUploads } from "./staged-uploads.ts";

/** Shared by all connections of an instance. */
export interface Context {
  readonly telex: Telex;
  readonly rooms: RoomBook;
  readonly messageRooms: MessageRooms;
  readonly staged: StagedUploads;
  /** Requests and `_async` actions of each account that are in progress, for which no connection can be paused. */
  readonly inProgress: ReturnType<typeof createSlots>;
  /** The memory of the parameters of actions in progress. */
  readonly load: Load;
  /** Sends the messages of an account to a room in the order of the actions. */
  readonly turns: InTurn;
  readonly fetchMedia: FetchMedia;
  readonly faults: BotFaults;
  /** The address at which frameworks download files, without a slash at its end. */
  readonly baseUrl: () => string;
  /** The version of the server, for frameworks that ask. */
  readonly appVersion: string;
}

/** A user of Telex for whom a framework acts. */
export interface Actor extends Context {
  readonly holder: TokenHolder;
  readonly version: Version;
}

/** The same, while an action runs. */
export interface Acting extends Actor {
  /** Aborted when the token of the framework ends: afterwards the action changes nothing. */
  readonly ended: AbortSignal;
}
