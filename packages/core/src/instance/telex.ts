import type { Caller, BoundOperation, Operation, RunOperation, TokenHolder } from "@telex/ground/contract";
import type { Locale } from "@telex/ground/errors";
import type { Logger, SecurityLog } from "@telex/ground/log";
import type { RatePeers } from "@telex/ground/rates";
import type { Clock, Zone } from "@telex/ground/time";
import type { RoomSource } from "@telex/transcripts";
import type { AnsweringModels } from "../ai/answers.ts";
import type { RemoteReplies } from "../ai/remote-replies.ts";
import type { CallOperation, Contracts, OperatorContracts, Services } from "./contracts.ts";
import type { Leases } from "@telex/ground/leases";
import type { Limits } from "./limits.ts";
import type { Figures } from "../observe/figures.ts";
import type { Observer } from "../observe/observer.ts";
import type { LatePlugin } from "./events.ts";
import type { MessageAmending } from "../messages/amend.ts";
import type { GroupRecord } from "../records/groups.ts";
import type { MessageRecord } from "../records/messages.ts";
import type { MessageView } from "../messages/contract.ts";
import type { Notice } from "../messages/notice/notice.ts";
import type { PostedText } from "../messages/post-text.ts";
import type { Listening, ListenOptions } from "../messages/listen.ts";
import type { LiveConnection, DeviceConnection } from "./live-events.ts";
import type { OfferedToken } from "../pairing/service.ts";
import type { RoomsLiveEvent } from "../rooms/live-events.ts";
import type { DeviceAttendance } from "../teleprinter/presence/attendance.ts";
import type { DeviceConnect } from "../teleprinter/connection.ts";
import type { DeviceFeed } from "../teleprinter/feed.ts";
import type { OneBotUser } from "../users/one-bot.ts";
import type { ReactInNetwork } from "../networks/sending.ts";

/** Operations of the operator, by capability. */
export interface OperatorServices extends Services<OperatorContracts> {}

/** One instance: every capability, without a transport. Several may live in one process. */
export interface Telex extends Services<Contracts> {
  readonly operator: OperatorServices;
  readonly call: CallOperation;
  /**
   * Binds an operation of a plug-in with the checks that every operation of Telex has: the access check, its schema, the log of
   * security events, and the wait for calls in progress when Telex closes. `defineRoute` and `defineChannel` call it.
   * @param name `<plug-in>.<operation>`, for errors and logs
   * @param run does the operation
   */
  readonly bind: <O extends Operation>(name: string, operation: O, run: RunOperation<O>) => BoundOperation<O>;
  /** The language of rooms, and of callers who name none on the paths and sockets of the interface: that of the option, else Chinese. */
  readonly locale: Locale;
  /** The language of callers who name none anywhere else: that of the option, else English. */
  readonly otherLocale: Locale;
  /** The name of this server among several; null if it has none. */
  readonly serverName: string | null;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly zone: Zone;
  readonly log: Logger;
  /** The observers of the plug-ins: transports report their responses to it. */
  readonly observer: Observer;
  /** Counts of the instance since it was made, and its open work. */
  readonly figures: () => Figures;
  /** The log of security, for refusals of transports. */
  readonly security: SecurityLog;
  /**
   * The holder of this token: an anonymous caller where it is null or not valid.
   * @param address where the call comes from, for the log of refused tokens; null if that is not known
   * @throws TelexError `storage_unavailable`
   */
  authenticate(token: string | null, address?: () => string | null): Promise<Caller>;
  /** Registers a connection, which is closed when its token ends or Telex closes. The returned function ends the registration. */
  attach(connection: LiveConnection): () => void;
  /** Mirrors the chat rooms of its user to an attached connection. */
  listen(connection: LiveConnection, options: ListenOptions): Listening;
  /**
   * The users whom frameworks that speak OneBot reach, by id, or only this one. For a plug-in that speaks it: the secrets are
   * among the fields.
   */
  oneBots(userId?: number): Promise<readonly OneBotUser[]>;
  /** Sends events of its user's devices to an attached connection. The returned function ends that. */
  watchDevices(connection: LiveConnection): () => void;
  /**
   * Pushes the messages of a device to an attached connection; null when an older connection of the device is alive.
   * @throws TelexError `insufficient_scope`, `device_not_found`, `not_owner`
   */
  connectDevice(connection: DeviceConnection, options: DeviceConnect): Promise<DeviceFeed | null>;
  /**
   * Begins the attendance of a device on a connection whose end takes the device offline. It is a sign of life.
   * @throws TelexError `insufficient_scope`, `device_not_found`, `not_owner`
   */
  attendDevice(connection: LiveConnection, deviceId: string): Promise<DeviceAttendance>;
  /**
   * The token of a paired device, for a transport that learns when the device has it; null unless its user has confirmed this secret.
   * The secret lives until `taken` is called, and each call of `offerToken` before makes another token.
   * @throws TelexError `not_found` if the device was unregistered
   */
  offerToken(deviceId: string, secret: string): Promise<OfferedToken | null>;
  /** Adds a plug-in that is made of this instance: it listens to events from here on, and ends before those of the options. */
  plug(plugin: LatePlugin): void;
  /** Call it when a connection with `more=1` was opened, when it sends something, and when it has ended: it publishes `session.active`. */
  sessionActive(connection: Pick<LiveConnection, "holder">, isOpen: boolean): void;
  /** For plug-ins: work that only one server of the installation does at a time. */
  readonly leases: Leases;
  /** For `createRateLimiter`, and for plug-ins that limit attempts: the limiters of the other servers; null if this is the only one. */
  readonly ratePeers: RatePeers | null;
  /** Replies of models that are read on another server than the one that runs them. */
  readonly remoteReplies: RemoteReplies;
  /**
   * For plug-ins: asks models under the quota of a user, and reads rooms for them. The plug-in makes sure that its user may read the room.
   */
  readonly roomModels: { readonly answering: AnsweringModels; readonly sourceOf: (groupId: number) => RoomSource };
  /**
   * Posts a notice to a room, as a message of who has made the change. Resolves when it is durable.
   * @throws TelexError `group_not_found`, `user_not_found`
   */
  announce(notice: Notice): Promise<void>;
  /**
   * Posts a text to a room for a plug-in, as a message of a user who need not be a member. Resolves with its id when it is durable.
   * @throws TelexError `group_not_found`, `user_not_found`, `not_supported`, `archived`, `nonce_conflict`
   */
  postText(posted: PostedText): Promise<number>;
  /**
   * Changes a message for a plug-in, as one step, and tells the members of its room. Resolves when it is durable, with the message as it is
   * then.
   * @throws TelexError `group_not_found`, `not_found`, `user_not_found` for a mention, and what the given rule throws
   */
  amendMessage(amending: MessageAmending): Promise<MessageView>;
  /** For a plug-in, before it stores a reaction to a message of a room of an external network, or takes it away. */
  readonly reactInNetwork: ReactInNetwork;
  /** A stored message for a plug-in's response, with the fields of `more=1`. */
  viewMessage(record: MessageRecord, group: GroupRecord): Promise<MessageView>;
  /**
   * Call it from a plug-in that has changed a room or its members in the storage. Connections with `more=1` hear of the change, on all
   * servers. Resolves when each server sends messages of the room to its present members only. A server that does not answer for a second
   * is not waited for again until something is heard of it.
   */
  roomChanged(groupId: number): Promise<void>;
  /**
   * Sends an event to the connections with `more=1` of the members of a room, on all servers. It is not stored, and may be lost.
   * @param except a user who does not get it; default: none
   */
  tellRoom(groupId: number, event: RoomsLiveEvent, except?: number): void;
  /**
   * Tells the members of a room that the caller is typing, if they have connections with `more=1`.
   * @throws TelexError `group_not_found` (as a rejection)
   */
  typing(caller: TokenHolder, input: { readonly groupId: number }): Promise<null>;
  /** Rejects if the storage cannot write now, or the instance is draining or closing. */
  ready(): Promise<void>;
  /** True after `drain` was called. Transports then refuse new sockets. */
  readonly isDraining: () => boolean;
  /**
   * Leaves clients and work to the other servers of the installation, before `close`: `ready` rejects with `shutting_down`, open
   * connections are closed with `draining` in groups, and leases, such as those of accounts of external networks, are released. Calls are
   * still answered. A second call waits for the first one, and a restart ends the draining.
   * @param time milliseconds over which the connections are closed
   */
  drain(time: number): Promise<void>;
  /**
   * Stops: new calls fail with `shutting_down`, waiting polls answer empty, gateways close, connections are closed with
   * `stopping`, plug-ins end, the storage closes. A second call waits for the first.
   * A plug-in that does not end within `closeWait` is logged by its name (`plugin.close_late`), and closing goes on.
   * @param until transports that are still writing their responses. The storage stays open until then: the wait has no limit, so the caller bounds it
   */
  close(until?: Promise<unknown>): Promise<void>;
}
