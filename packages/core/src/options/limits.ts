import { interfaceLimits } from "../contract/interface-limits.ts";

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const mib = 1024 * 1024;

/**
 * The numbers that an installation can change, with their units, over all transports. Each is checked before the cost arises that it
 * limits. `createTelex({ limits })` changes single ones. What one transport limits is an option of that transport:
 * `createHttp(telex, { limits })`, `createWs(telex, { limits })`.
 */
export interface Limits {
  /** Milliseconds without a sign of life after which a device is offline (interface 3.1). */
  readonly deviceSilence: number;
  /** Devices that a user may have. */
  readonly devicesPerUser: number;
  /** Messages that may wait for one device. */
  readonly deviceQueue: number;
  /** Milliseconds for which a poll holds its messages before they are free again. */
  readonly pollLease: number;
  /** Milliseconds during which a repeated nonce answers with the first result. */
  readonly nonceLife: number;
  /** Milliseconds for which an upload code is valid (interface 2.8). */
  readonly codeLife: number;
  /** Bytes of an uploaded file (interface 4.7). */
  readonly fileSize: number;
  /** Milliseconds after which a file of a user that no message uses is deleted. */
  readonly unusedFileLife: number;
  /** Milliseconds after which a file that was uploaded without a user, by code, is deleted if no message uses it. */
  readonly codeFileLife: number;
  /** Bytes that one user may upload within 24 hours. */
  readonly userUploads: number;
  /** Bytes of pictures and files that one room of an external network may receive within 24 hours. */
  readonly roomFiles: number;
  /** Bytes of all uploads by code together that may be stored at a time. */
  readonly codeUploads: number;
  /** Milliseconds after which an image is deleted (interface 2.10). */
  readonly imageLife: number;
  /** Pixels per side of a `128_` preview (interface 2.10). */
  readonly thumbnailSide: number;
  /** Pixels of an image, checked before decoding. */
  readonly imagePixels: number;
  /** Lines of an image text, checked before rendering. */
  readonly imageLines: number;
  /** Images that are processed simultaneously. */
  readonly imageJobs: number;
  /** Images of one kind (texts, previews, avatars) that may wait for their turn. */
  readonly imageQueue: number;
  /** Milliseconds that decoding one image may take. */
  readonly imageTime: number;
  /** Pixels that are decoded simultaneously, over all jobs. An image with more runs alone. */
  readonly imagePixelsAtOnce: number;
  /** Image texts that are kept (interface 4.3). */
  readonly imageCacheEntries: number;
  /** Bytes of image text that are kept. */
  readonly imageCacheBytes: number;
  /** Milliseconds for which an avatar of the external network is fresh (interface 4.4). */
  readonly avatarLife: number;
  /** Milliseconds for which an older avatar of the external network is served while the network does not answer. */
  readonly avatarStaleLife: number;
  /** Bytes that are read from an external avatar. */
  readonly avatarBytes: number;
  /** External avatars that are fetched simultaneously. */
  readonly avatarFetches: number;
  /** Avatars that are kept. */
  readonly avatarCacheEntries: number;
  /** Bytes of avatars that are kept. */
  readonly avatarCacheBytes: number;
  /** Code points of the texts of one room message. At most the default, which the interface fixes. */
  readonly messageText: number;
  /** Segments of one room message. At most the default, which the interface fixes. */
  readonly messageSegments: number;
  /** Milliseconds that an external network has for its answer to a message, from the moment at which the gateway has begun. */
  readonly gatewayAnswerTime: number;
  /** Milliseconds after which a message counts as not sent if the gateway has not begun. */
  readonly gatewayWait: number;
  /** Milliseconds that a message may wait for those before it, until the gateway has begun; then it counts as not sent. */
  readonly gatewayQueueTime: number;
  /** Messages of one account of an external network that may wait, in each direction. Those without an outcome count. */
  readonly gatewayQueue: number;
  /** Milliseconds in which all pictures and files of a received message are fetched. */
  readonly gatewayMediaTime: number;
  /** Pictures and files of external networks that are fetched simultaneously. */
  readonly gatewayMediaFetches: number;
  /** Milliseconds that the echo of an account's own message waits for messages that are being sent to its room. */
  readonly gatewayEchoWait: number;
  /** Milliseconds that `createTelex` waits for a gateway to start. */
  readonly gatewayStartTime: number;
  /** Milliseconds that `close` waits for a gateway. */
  readonly gatewayCloseTime: number;
  /** Milliseconds for which a sender can recall a message. */
  readonly recallTime: number;
  /** Milliseconds between two messages in which a server tells the others who is connected to it. */
  readonly presenceInterval: number;
  /** Milliseconds after which the users of a server that is silent are offline. */
  readonly presenceLease: number;
  /** Missed messages that `since` replays; more are announced by a gap. */
  readonly replayMessages: number;
  /** Bytes of content and pinyin that `since` replays; more are announced by a gap. */
  readonly replayBytes: number;
  /** Replays that run simultaneously; the others wait. */
  readonly replaysAtOnce: number;
  /** Milliseconds that a message of a room waits for an earlier one, from another server, before that is read from the store. */
  readonly lateMessageWait: number;
  /** Milliseconds between two looks for messages of rooms that a bus has lost. */
  readonly lostMessageCheck: number;
  /** Members of a room walked in one tick. */
  readonly fanOutSlice: number;
  /** Milliseconds between two looks for expired and revoked tokens and for changes by other processes. */
  readonly watchInterval: number;
  /** Milliseconds for which a verified token is trusted without asking again. */
  readonly tokenCacheLife: number;
  /** Verified tokens that are kept. */
  readonly tokenCacheEntries: number;
  /** Milliseconds that a token lasts when no other time is asked for. */
  readonly tokenLife: number;
  /**
   * Milliseconds after which another server settles and keeps the reply of a killed one. Each server renews that five times as often, and
   * then stores what its replies have said so far. At least 15 s if the clocks of the servers may differ by 5 s.
   */
  readonly replyLease: number;
  /** Milliseconds after which the reservation of a call of an embedding model that never settled is free again. */
  readonly reservationLife: number;
  /** Nicknames and group names whose pinyin is kept. */
  readonly nameCacheEntries: number;
  /** Callers whose rate is remembered. */
  readonly rateEntries: number;
  /** Users that are kept. */
  readonly userCacheEntries: number;
  /** Chat rooms that are kept, with their members. */
  readonly roomCacheEntries: number;
  /** Messages on their way to one device that have not been acknowledged. */
  readonly deviceWindow: number;
  /**
   * Milliseconds for which a device connection holds its messages. It renews that three times as often while it is open, so
   * that what a server held is free this long after it was killed.
   */
  readonly deviceLease: number;
  /** Milliseconds that `send` waits for an open socket to take its message. */
  readonly devicePushWait: number;
  /** Milliseconds that an open device connection has to answer when a second one comes. */
  readonly takeoverWait: number;
  /**
   * Milliseconds after which another server does what a killed one did alone, such as the connection to a bot. Renewed three times as
   * often. At least 20 s if the clocks of the servers may differ by 5 s.
   */
  readonly leaseLife: number;
  /** Milliseconds that closing waits for work in progress. */
  readonly closeWait: number;
  /**
   * Milliseconds after which a blob without a record is an orphan, and not an upload about to get one; at least 600,000. A put whose bytes take
   * longer than half of it ends with `timeout`.
   */
  readonly orphanAge: number;
  /** Milliseconds between two sweeps. */
  readonly sweepInterval: number;
  /** Milliseconds for which a pairing code is valid. */
  readonly pairingLife: number;
  /** Pairing codes that a user may try in a minute. */
  readonly pairingAttempts: number;
  /** Milliseconds that the token of a paired device lasts. */
  readonly deviceTokenLife: number;
  /** Milliseconds that a reply or a call of an embedding model may take; less than `reservationLife`. */
  readonly replyTime: number;
  /** Turns of a conversation that are looked at for a prompt. */
  readonly chatTurns: number;
}

/** The limits of the interface, and the defaults of those it leaves open. */
export const defaultLimits: Limits = {
  deviceSilence: 90 * second,
  devicesPerUser: 1000,
  deviceQueue: 10_000,
  pollLease: 2 * minute,
  nonceLife: day,
  codeLife: 8 * hour,
  fileSize: 100 * mib,
  unusedFileLife: day,
  codeFileLife: hour,
  userUploads: 1024 * mib,
  roomFiles: 1024 * mib,
  codeUploads: 1024 * mib,
  imageLife: 90 * day,
  thumbnailSide: 128,
  imagePixels: 50_000_000,
  imageLines: 2000,
  imageJobs: 2,
  imageQueue: 64,
  imageTime: 10 * second,
  imagePixelsAtOnce: 60_000_000,
  imageCacheEntries: 300,
  imageCacheBytes: 32 * mib,
  avatarLife: 12 * hour,
  avatarStaleLife: 7 * day,
  avatarBytes: 5 * mib,
  avatarFetches: 64,
  avatarCacheEntries: 2000,
  avatarCacheBytes: 64 * mib,
  messageText: interfaceLimits.messageText,
  messageSegments: interfaceLimits.messageSegments,
  gatewayAnswerTime: 30 * second,
  gatewayWait: 2 * minute,
  gatewayQueueTime: 10 * minute,
  gatewayQueue: 1000,
  gatewayMediaTime: 30 * second,
  gatewayMediaFetches: 16,
  gatewayEchoWait: 5 * second,
  gatewayStartTime: 5 * second,
  gatewayCloseTime: second,
  recallTime: 2 * minute,
  presenceInterval: 2 * second,
  presenceLease: 10 * second,
  replayMessages: 1000,
  replayBytes: mib,
  replaysAtOnce: 4,
  lateMessageWait: second / 10,
  lostMessageCheck: 5 * second,
  fanOutSlice: 128,
  watchInterval: second / 4,
  tokenCacheLife: second / 2,
  tokenCacheEntries: 10_000,
  tokenLife: 90 * day,
  replyLease: 15 * second,
  reservationLife: 15 * minute,
  nameCacheEntries: 2000,
  deviceWindow: 1000,
  deviceLease: 30 * second,
  devicePushWait: 2 * second,
  takeoverWait: 5 * second,
  leaseLife: 30 * second,
  closeWait: 4 * second,
  orphanAge: 2 * hour,
  sweepInterval: 15 * minute,
  pairingLife: 10 * minute,
  pairingAttempts: 10,
  deviceTokenLife: 365 * day,
  replyTime: 10 * minute,
  chatTurns: 100,
  userCacheEntries: 10_000,
  roomCacheEntries: 1000,
  rateEntries: 10_000,
};
