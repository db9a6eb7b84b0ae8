import type { Link, LinkHooks, Role } from "../link/link.ts";
import type { Actor } from "./context.ts";
import { answerFrame, type DispatchDeps } from "./dispatch.ts";
import { startTeller, type Teller } from "./teller.ts";

/** Actions of one connection that may be in progress, and characters of their frames: then it is read no more until some are done. */
const mostActions = 32;
const mostCharacters = 32 * 2 ** 20;
const closeCodes = { token_ended: 4401, too_slow: 1013, stopping: 1001 } as const;

/** What a connection needs. */
interface ConnectionDeps extends DispatchDeps {
  readonly actor: Actor;
  readonly link: Link;
  readonly role: Role;
  readonly tellsOwn: () => boolean;
  /** A teller has begun; the returned function is called at its end. */
  readonly began: (teller: Teller) => () => void;
}

/** Counts the actions in progress, and stops reading while there are too many. */
function createLoad(link: Link) {
  let running = 0;
  let characters = 0;
  let isPaused = false;
  const isOver = (times: number): boolean => running >= times * mostActions || characters >= times * mostCharacters;
  return {
    begin(size: number): void {
      running += 1;
      characters += size;
      if (isPaused || !isOver(1)) return;
      isPaused = true;
      link.pause();
    },
    end(size: number): void {
      running -= 1;
      characters -= size;
      if (!isPaused || isOver(1)) return;
      isPaused = false;
      link.resume();
    },
    /** True if a connection whose reading cannot be stopped goes on all the same. */
    isFull: () => isOver(4),
  };
}

/** Serves a framework over an open connection, which either side may have opened. */
export function serveConnection({ actor, link, role, tellsOwn, began, limiter }: ConnectionDeps): LinkHooks {
  const load = createLoad(link);
  const outlet = {
    tell: (event: object) => link.send(JSON.stringify(event)),
    end: (reason: keyof typeof closeCodes) => link.close(closeCodes[reason]),
  };
  let stop = (): void => {};
  if (role !== "api") {
    const teller = startTeller({ actor, outlet, tellsOwn, isSocket: true });
    const ended = began(teller);
    stop = () => {
      teller.stop();
      ended();
    };
  } else
    stop = actor.telex.attach({
      holder: actor.holder,
      write() {},
      close: (reason) => outlet.end(reason === "stopping" ? reason : "token_ended"),
    });
  const take = async (text: string): Promise<void> => {
    load.begin(text.length);
    try {
      link.send(await answerFrame(actor, text, { limiter }));
    } finally {
      load.end(text.length);
    }
  };
  return {
    received(text) {
      if (role === "event") return;
      if (load.isFull()) link.close(closeCodes.too_slow);
      else void take(text);
    },
    alive() {},
    closed: () => stop(),
  };
}
