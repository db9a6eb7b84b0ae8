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
  /** Requests and `_async` actions of each account that are in progress: for those no connection stops being read. */
  readonly inProgress: ReturnType<typeof createSlots>;
  /** The memory of the parameters of actions in progress. */
  readonly load: Load;
  /** Messages that an account sends to a room go in the order of the actions. */
  readonly turns: InTurn;
  readonly fetchMedia: FetchMedia;
  readonly faults: BotFaults;
  /** Where frameworks can download files, without a slash at its end. */
  readonly baseUrl: () => string;
  /** The version of the server, for frameworks that ask. */
  readonly appVersion: string;
}

/** A user of Telex for whom a framework acts. */
export interface Actor extends Context {
  readonly holder: TokenHolder;
  readonly version: Version;
}

/** The same, while it does an action. */
export interface Acting extends Actor {
  /** Aborted when the token of the framework ends: from then on the action changes nothing. */
  readonly ended: AbortSignal;
}
