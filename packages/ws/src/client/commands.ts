import type { ChannelName } from "../channels/table.ts";
import type { Pending } from "./calls.ts";
import { SocketError } from "./errors.ts";
import { type Frame, isPiece, isResult } from "./frames.ts";
import type { Call } from "./types.ts";

/** Devices have this command, and all other channels answer it with an error, so every channel answers it. */
const pingCommand = "heartbeat";

/** The close code for a token that is invalid, expired or revoked. */
const tokenEnded = 4401;

export const loginFailed = (): SocketError =>
  new SocketError("ended", tokenEnded, "The token is not valid, or no longer valid.");

export const notOpen = (): SocketError => new SocketError("ended", 1006, "The connection is not open yet.");

/** A refused ping is still an answer. */
const passRefusal = (cause: unknown): void => {
  if (!(cause instanceof SocketError && cause.kind === "refused")) throw cause;
};

/** A frame of a type other than the table says: the service has another interface. */
const unexpected = ({ type, code }: Frame): SocketError =>
  new SocketError("refused", code, `The command was answered with ${type}.`);

/** Sends a command, or rejects it. */
type Send = (command: string, input: object, call: Pending) => void;

/** The commands of a connection. */
export function createCommands<N extends ChannelName>(channel: N, send: Send) {
  const call: Call<N> = (command, input, onPiece) =>
    new Promise((resolve, reject) =>
      send(command, input, {
        result: (frame) => (isResult(channel, command, frame) ? resolve(frame.data) : reject(unexpected(frame))),
        reject,
        piece: (frame) => {
          if (isPiece(channel, command, frame)) onPiece?.(frame);
        },
      }),
    );
  const tell = (command: string, input: object): Promise<void> =>
    new Promise((resolve, reject) => send(command, input, { result: () => resolve(), reject, piece: () => {} }));
  return { call, tell, ping: (): Promise<void> => tell(pingCommand, {}).catch(passRefusal) };
}
