import { type ReadonlySignal, signal } from "@preact/signals";
import { isPassing, type Problem, problemOf } from "../session/problem.ts";
import { pauseAfter } from "./pause.ts";
import { type Frame, openSocket, type Socket, type Wire } from "./socket.ts";

/** How current the page is: being connected, up to date, connected and catching up, or not connected. */
export type LiveState = "connecting" | "live" | "behind" | "offline";

/** What {@link Live} needs. */
export interface LiveOptions {
  readonly open: () => Wire;
  /** Fetches what was missed. Runs after each connection, while `receive` is called already. */
  readonly catchUp: () => Promise<void>;
  readonly receive: (frame: Frame) => void;
  /** The token is not valid, or not any more. */
  readonly ended: (problem: Problem) => void;
  /** False where the browser knows that there is no network. */
  readonly hasNetwork: () => boolean;
}

/** The one connection of the page. Owns its socket, and says how current the page is. */
export interface Live {
  readonly state: ReadonlySignal<LiveState>;
  /** Connects now, or makes sure that the connection is alive. */
  readonly check: () => void;
  /** Gives the connection up: the network is gone. */
  readonly drop: () => void;
  readonly close: () => void;
}

/** Milliseconds between two looks whether the connection is alive. */
const checkInterval = 30_000;

/** Connects, and connects again for as long as it is not closed. */
export function createLive({ open, catchUp, receive, ended, hasNetwork }: LiveOptions): Live {
  const state = signal<LiveState>("connecting");
  let socket: Socket | null = null;
  let failures = 0;
  let closed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const stop = (): void => {
    closed = true;
    clearTimeout(timer);
    socket?.close();
  };
  const plan = (): void => {
    if (closed) return;
    failures += 1;
    state.value = "offline";
    clearTimeout(timer);
    if (hasNetwork()) timer = setTimeout(connect, pauseAfter(failures, Math.random()));
  };
  const follow = async (own: Socket): Promise<void> => {
    state.value = "behind";
    try {
      await catchUp();
      if (socket !== own) return;
      state.value = "live";
      failures = 0;
      timer = setTimeout(check, checkInterval);
    } catch (error) {
      const problem = problemOf(error);
      if (socket === own && isPassing(problem)) own.close();
      else if (socket === own) ended(problem);
    }
  };
  function connect(): void {
    if (closed || socket !== null) return;
    clearTimeout(timer);
    if (failures === 0) state.value = "connecting";
    const own = openSocket(open(), {
      ready: () => void follow(own),
      receive,
      gone(tokenEnded) {
        clearTimeout(timer);
        socket = null;
        if (tokenEnded && !closed) ended("invalidToken");
        else plan();
      },
    });
    socket = own;
  }
  function check(): void {
    if (socket === null) connect();
    else if (state.value === "live") {
      clearTimeout(timer);
      socket.probe();
      timer = setTimeout(check, checkInterval);
    }
  }
  connect();
  return { state, check, drop: () => socket?.close(), close: stop };
}
