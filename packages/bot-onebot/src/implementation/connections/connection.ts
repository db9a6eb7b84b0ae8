import type { Link, LinkHooks, Role } from "../../link/link.ts";
import type { Actor } from "../context.ts";
import { answerFrame, type DispatchDeps } from "../dispatch.ts";
import { weigh, type Weighed } from "./load.ts";
import { startTeller, type Teller } from "../teller.ts";

/**
 * Maximum actions of one connection that have begun and whose answer was not sent, weight of their frames, and bytes of answers that wait
 * for the framework. Above it, further actions wait, and the connection is not read.
 */
const most = { actions: 32, weight: 32 * 2 ** 20, untaken: 2 ** 20 } as const;
const closeCodes = { token_ended: 4401, too_slow: 1013, stopping: 1001, draining: 1012 } as const;

interface ConnectionDeps extends DispatchDeps {
  readonly actor: Actor;
  readonly link: Link;
  readonly role: Role;
  readonly tellsOwn: () => boolean;
  /** Called when a teller has begun; the returned function is called at its end. */
  readonly began: (teller: Teller) => () => void;
}

/**
 * Runs actions, and sends their answers as fast as the framework takes them. Frames that were read before reading could be paused wait: no
 * more than one read of a socket brings.
 */
function createWork(link: Link, run: (request: Weighed) => Promise<string>) {
  const waiting: string[] = [];
  const answers: string[] = [];
  let [begun, weight, isPaused] = [0, 0, false];
  const isTaken = (): boolean => link.waiting() <= most.untaken;
  const hasRoom = (): boolean => begun < most.actions && weight < most.weight && isTaken();
  const look = (): void => {
    const isFull = waiting.length > 0 || !hasRoom();
    if (isFull && !isPaused) link.pause();
    if (!isFull && isPaused) link.resume();
    isPaused = isFull;
  };
  const begin = async (text: string): Promise<void> => {
    const action = weigh(text);
    begun += 1;
    weight += action.weight;
    const answer = await run(action);
    weight -= action.weight;
    answers.push(answer);
    advance();
  };
  const advance = (): void => {
    for (const answer of answers.splice(0)) {
      if (isTaken()) {
        link.send(answer);
        begun -= 1;
      } else answers.push(answer);
    }
    while (waiting.length > 0 && hasRoom()) void begin(waiting.shift() ?? "");
    look();
  };
  return {
    take(text: string): void {
      waiting.push(text);
      advance();
    },
    drained: advance,
    /** Called when the client has gone: drops answers. */
    end(): void {
      waiting.length = 0;
      answers.length = 0;
    },
  };
}

/** Serves a framework over an open connection, which either side may have opened. */
export function serveConnection({ actor, link, role, tellsOwn, began, limiter }: ConnectionDeps): LinkHooks {
  const work = createWork(link, (request) => answerFrame(actor, request, { limiter }));
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
      close: (reason) => outlet.end(reason === "stopping" || reason === "draining" ? reason : "token_ended"),
    });
  return {
    received(text) {
      if (role !== "event") work.take(text);
    },
    alive() {},
    drained: () => work.drained(),
    closed() {
      work.end();
      stop();
    },
  };
}
