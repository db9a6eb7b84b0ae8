import type { AvatarView, OperatorServices, Telex } from "@telex/core";
import type { CapabilityName } from "@telex/core/contract";
import type { IncomingFile, OutgoingFile } from "@telex/core/transport";

/** Where a request may carry its access token: in the header, and on the interface's own routes also in the query. */
export type TokenSource = "header" | "header_or_query";

/** Where the input of an operation is, in addition to the path. */
export type InputKind = "query" | "json" | "upload";

/** How a response is written: in the envelope, as plain text, as a JPEG, as a file, as a download of unknown length, or as server-sent events. */
export type ResponseKind = "envelope" | "text" | "jpeg" | "file" | "stream" | "events";

/** The place of an operation in HTTP. */
export interface Route {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** A segment that begins with a colon is a field of the input. */
  readonly path: string;
  readonly token: TokenSource;
  readonly input: InputKind;
  readonly response: ResponseKind;
  /** True for a GET that changes something: it takes no HEAD, which would change it unseen. */
  readonly changes?: boolean;
  /** True for an upload that may also be the body itself. */
  readonly raw?: boolean;
  /**
   * The field that contains a body of `text/plain`, or of a form, which is what `curl -d` sends: the other fields are then in the query.
   */
  readonly text?: string;
  /** True for images that the option `missingImage` can replace with another one. */
  readonly placeholder?: boolean;
  /** True for a path of the interface (interface 4): callers who name no language are answered in Chinese there. */
  readonly isInterface?: boolean;
  /** The cost of a call in the rate of a caller without a token. Default 1. */
  readonly cost?: number;
}

type InputOf<M> = M extends (caller: never, input: infer I, context?: never) => unknown ? I : never;
type OutputOf<M> = M extends (caller: never, input: never, context?: never) => Promise<infer O> ? O : never;

type ResponseFor<O> = O extends OutgoingFile
  ? "file"
  : O extends AvatarView
    ? "jpeg"
    : O extends { readonly text: string; readonly cached: boolean }
      ? "text"
      : O extends AsyncIterable<unknown>
        ? "events"
        : "envelope";

type RouteFor<M> = Route & {
  readonly input: InputOf<M> extends { readonly file: IncomingFile } ? "upload" : "query" | "json";
  readonly response: ResponseFor<OutputOf<M>>;
};

/** A row for every operation; null for one that HTTP does not offer. */
type Routes = { readonly [C in CapabilityName]: { readonly [O in keyof Telex[C]]: RouteFor<Telex[C][O]> | null } };

/** Why an operation of the operator is not offered over the network. */
export interface NotOffered {
  readonly notOffered: string;
}

/** A row for every operation of the operator: admins call them over HTTP, unless a reason says why not. */
type AdminRoutes = {
  readonly [C in keyof OperatorServices]: {
    readonly [O in keyof OperatorServices[C]]: RouteFor<OperatorServices[C][O]> | NotOffered;
  };
};

const external = "/external/api/v1";
const query = { method: "GET", token: "header_or_query", input: "query", response: "envelope" } as const;
const json = { method: "POST", token: "header_or_query", input: "json", response: "envelope" } as const;
const jpeg = { method: "GET", token: "header", input: "query", response: "jpeg", isInterface: true } as const;
const file = { method: "GET", token: "header", input: "query", response: "file" } as const;

/**
 * The place of every operation (interface 4). The one table for server, client and OpenAPI document; a capability or an
 * operation that has no row does not compile.
 */
export const routes = {
  teleprinter: {
    register: { ...json, isInterface: true, path: `${external}/teleprinter/register` },
    rename: { ...json, path: `${external}/teleprinter/rename` },
    heartbeat: { ...json, isInterface: true, path: `${external}/teleprinter/heartbeat` },
    offline: { ...json, isInterface: true, path: `${external}/teleprinter/offline` },
    poll: { ...query, isInterface: true, path: `${external}/teleprinter/poll`, changes: true },
    sync: { ...json, isInterface: true, path: `${external}/teleprinter/sync`, text: "content" },
    send: { ...json, isInterface: true, path: `${external}/teleprinter/send`, text: "content" },
    schedules: { ...query, path: `${external}/teleprinter/schedules` },
    unschedule: { ...json, path: `${external}/teleprinter/unschedule` },
    devices: { ...query, path: `${external}/teleprinter/devices` },
    messages: { ...query, path: `${external}/teleprinter/messages` },
    unregister: { ...json, path: `${external}/teleprinter/unregister` },
  },
  pairing: {
    pair: { ...json, token: "header", path: `${external}/teleprinter/pair`, cost: 10 },
    pairing: { ...query, path: `${external}/teleprinter/pairing`, changes: true },
    confirmPairing: { ...json, path: `${external}/teleprinter/pair/confirm` },
    collect: { ...json, token: "header", path: `${external}/teleprinter/pair/collect` },
  },
  ai: {
    quota: { ...query, isInterface: true, path: `${external}/sseStream/quota` },
    conversations: { ...query, isInterface: true, path: `${external}/sseStream/conversations` },
    chat: { ...json, path: `${external}/sseStream/chat`, response: "events" },
    // In the form of another interface: /v1/chat/completions.
    complete: null,
    tool: { ...json, path: `${external}/sseStream/tool` },
    models: { ...query, path: `${external}/sseStream/models` },
    // In the form of another interface: /v1/embeddings and /v1/models.
    embed: null,
    embeddingModels: null,
    // Settings belong to a connection: they are set over the WebSocket, and sent with each request here.
    setting: null,
    conversationMessages: { ...query, path: `${external}/sseStream/conversations/:conversationId/messages` },
    amendConversation: { ...json, method: "PATCH", path: `${external}/sseStream/conversations/:conversationId` },
    deleteConversation: { ...query, method: "DELETE", path: `${external}/sseStream/conversations/:conversationId` },
    searchConversations: { ...query, path: `${external}/sseStream/search` },
  },
  images: {
    imageText: {
      ...query,
      isInterface: true,
      token: "header",
      response: "text",
      path: "/api/generate/imagetotext",
      cost: 5,
    },
  },
  avatars: {
    personal: { ...jpeg, path: "/api/avatar/get/personal" },
    group: { ...jpeg, path: "/api/avatar/get/group" },
    extPersonal: { ...jpeg, path: "/api/avatar/get/EXTpersonal" },
    extGroup: { ...jpeg, path: "/api/avatar/get/EXTgroup" },
  },
  bucket: {
    generateCode: {
      ...query,
      isInterface: true,
      token: "header",
      path: "/api/storage/generateCode",
      changes: true,
      cost: 10,
    },
    uploadByCode: {
      ...json,
      isInterface: true,
      token: "header",
      input: "upload",
      raw: true,
      path: "/filePersistence/upload/:storageId/:code",
      cost: 10,
    },
    upload: { ...json, isInterface: true, input: "upload", path: `${external}/bucket/upload` },
    files: { ...query, path: `${external}/bucket/files` },
    countFiles: { ...query, path: `${external}/bucket/count`, cost: 5 },
    deleteFile: { ...query, method: "DELETE", path: `${external}/bucket/files/:md5` },
    shareFile: { ...json, path: `${external}/bucket/files/:md5/links` },
    links: { ...query, path: `${external}/bucket/links` },
    revokeLink: { ...query, method: "DELETE", path: `${external}/bucket/links/:id` },
    file: { ...file, path: "/api/file/:md5" },
    download: { ...file, isInterface: true, path: "/download/:file", placeholder: true },
    downloadFile: { ...file, isInterface: true, path: "/downloadFile/:path/:where/:name" },
  },
  users: {
    userInfo: { ...query, isInterface: true, path: `${external}/oauth2/userinfo` },
    userId: { ...query, isInterface: true, path: `${external}/oauth2/userId` },
    tokens: { ...query, path: `${external}/tokens` },
    revokeToken: { ...query, method: "DELETE", path: `${external}/tokens/:id` },
  },
  messages: {
    history: { ...query, isInterface: true, path: `${external}/im/getMessage` },
    search: { ...query, path: `${external}/im/search` },
    send: { ...json, path: `${external}/im/sendGroupMessage` },
    recall: { ...json, path: `${external}/im/recall` },
    files: { ...query, path: `${external}/im/groups/:groupId/messages/:messageId/files` },
    uses: { ...query, path: `${external}/bucket/files/:md5/messages` },
  },
  rooms: {
    list: { ...query, path: `${external}/im/groups` },
    find: { ...query, path: `${external}/im/groups/:groupId` },
    members: { ...query, path: `${external}/im/groups/:groupId/members` },
    read: { ...json, path: `${external}/im/groups/:groupId/read` },
  },
} as const satisfies Routes;

const admin = `${external}/admin`;
const remove = { ...query, method: "DELETE" } as const;
const change = { ...json, method: "PATCH" } as const;
/** A change that is entirely in the path: it takes no body. */
const act = { ...query, method: "POST" } as const;

/** Where admins find the operations of the operator: with a token that has the scope `admin`. */
export const adminRoutes = {
  users: {
    add: { ...json, path: `${admin}/users` },
    list: { ...query, path: `${admin}/users` },
    show: { ...query, path: `${admin}/users/:id` },
    amend: { ...change, path: `${admin}/users/:id` },
    putAvatar: { ...json, input: "upload", raw: true, path: `${admin}/users/:id/avatar` },
    remove: { ...remove, path: `${admin}/users/:id` },
  },
  tokens: {
    issue: { ...json, path: `${admin}/tokens` },
    list: { ...query, path: `${admin}/tokens` },
    // A token must not be in a URL, so this is not a DELETE.
    revoke: { ...json, path: `${admin}/tokens/revoke` },
  },
  groups: {
    add: { ...json, path: `${admin}/groups` },
    list: { ...query, path: `${admin}/groups` },
    amend: { ...change, path: `${admin}/groups/:groupId` },
    putAvatar: { ...json, input: "upload", raw: true, path: `${admin}/groups/:groupId/avatar` },
    remove: { ...remove, path: `${admin}/groups/:groupId` },
    members: { ...query, path: `${admin}/groups/:groupId/members` },
    amendMembers: { ...json, path: `${admin}/groups/:groupId/members` },
    card: { ...change, path: `${admin}/groups/:groupId/members/:userId` },
  },
  devices: {
    list: { ...query, path: `${admin}/devices` },
    messages: { ...query, path: `${admin}/devices/:deviceId/messages` },
    rename: { ...change, path: `${admin}/devices/:deviceId` },
    remove: { ...remove, path: `${admin}/devices/:deviceId` },
    // Not below `devices`: "pair" is a device ID like any other.
    pair: { ...json, path: `${admin}/pair` },
  },
  quota: {
    assign: { ...json, path: `${admin}/quotas/:userId` },
    show: { ...query, path: `${admin}/quotas/:userId` },
    history: { ...query, path: `${admin}/quotas/:userId/history` },
  },
  files: {
    list: { ...query, path: `${admin}/files` },
    sweep: { ...act, path: `${admin}/files/sweep` },
    quarantine: { ...act, path: `${admin}/files/:file_id/quarantine` },
  },
  bots: {
    list: { ...query, path: `${admin}/bots` },
    add: { ...json, path: `${admin}/bots` },
    amend: { ...change, path: `${admin}/bots/:account` },
    test: { ...act, path: `${admin}/bots/:account/test` },
    remove: { ...remove, path: `${admin}/bots/:account` },
  },
  server: {
    status: { ...query, path: `${admin}/status` },
    drain: { ...json, path: `${admin}/drain` },
  },
} as const satisfies AdminRoutes;

/** The names of the fields that are in a path. */
export const pathFields = (path: string): string[] =>
  path
    .split("/")
    .filter((segment) => segment.startsWith(":"))
    .map((segment) => segment.slice(1));
