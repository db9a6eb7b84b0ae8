import type { FamilyAccess } from "@telex/ground/contract";
import type { Locale } from "@telex/ground/errors";
import type { Logger } from "@telex/ground/log";
import type { Clock } from "@telex/ground/time";
import type { AvatarSource } from "@telex/files";
import type { BlobStore } from "@telex/files/blobs";
import type { Bus } from "../bus-events.ts";
import type { EmbeddingModel } from "../../ai/embedding-model.ts";
import type { ChatModel, ToolAnswers } from "../../ai/model.ts";
import type { Allocation } from "../../records/ai.ts";
import type { ImageEngine } from "@telex/files/images";
import type { Limits } from "../limits.ts";
import type { Gateway } from "../../networks/gateway.ts";
import type { Plugin } from "../plugin.ts";
import type { Storage } from "../storage.ts";
import type { TokenVerifier } from "../../users/verifier.ts";

/** Options of `createTelex`. Only `storage`, `blobs` and `images` are required. */
export interface TelexOptions {
  readonly storage: Storage;
  readonly blobs: BlobStore;
  /** `createSharpEngine()` of `@telex/image-text/sharp`. One engine may serve several instances. */
  readonly images: ImageEngine;
  /** Finds the holder of a token. Default: the token store of the storage. */
  readonly tokens?: TokenVerifier;
  /** Verifies tokens that `tokens` does not know, such as those that an authorization server issues. Default: none. */
  readonly otherTokens?: TokenVerifier;
  /** The address at which external networks can download files, such as `https://chat.example`. Default: none. */
  readonly baseUrl?: string;
  /** Connections to external networks. Default: none, every bot is offline. */
  readonly gateways?: readonly Gateway[];
  /**
   * Handling of a message from a room of an external network for which there is no chat room: `ignore` counts it
   * (`figures().unknownRooms`), `create` adds a chat room without members. Default `ignore`.
   */
  readonly unknownRooms?: "ignore" | "create";
  /** Models by name, the default first. Default: `echo` alone. */
  readonly models?: ReadonlyMap<string, ChatModel>;
  /** Models that turn texts into vectors, by names that `models` does not have. Default: none. */
  readonly embeddingModels?: ReadonlyMap<string, EmbeddingModel>;
  /** Takes the answers of people whether a model may call a tool. Default: no model asks. */
  readonly toolAnswers?: ToolAnswers;
  /** Where avatars of the external network come from. Default: nowhere, they are generated. */
  readonly avatarSource?: AvatarSource;
  /** Connects the servers of an installation that share a storage. Default: none, this is the only server. */
  readonly bus?: Bus;
  /** The name of this server among several, for the operator. If it is given, responses of `/readyz` name it. Default: the name of the machine. */
  readonly serverName?: string;
  /**
   * The language of failures whose caller names none, and of what Telex says in rooms. Default: `zh-CN` in rooms and on the paths and
   * sockets of the interface, `en` everywhere else.
   */
  readonly locale?: Locale;
  /** IANA name: offset of timestamps, and where quota periods begin. Default `UTC`. */
  readonly timeZone?: string;
  /** Families of operations that need a token. Default: all are `public`. */
  readonly access?: Partial<FamilyAccess>;
  /** The quota of a user who has none of their own. Default: 100 replies daily. */
  readonly allocation?: Allocation;
  /** Changes of single limits. */
  readonly limits?: Partial<Limits>;
  readonly plugins?: readonly Plugin[];
  readonly clock?: Clock;
  readonly log?: Logger;
  /** Checks every output against its contract, for tests. Default false. */
  readonly checkOutput?: boolean;
}
