import type { Budget } from "../link/budget.ts";
import type { Asked } from "../link/http-client.ts";
import type { Link, LinkHooks } from "../link/link.ts";

/** An action that every implementation supports. */
const status = "get_status";

export const question = JSON.stringify({ action: status, params: {}, echo: "alive" });

/** True for the answer of an implementation that has done an action. */
export const isDone = (frame: object): boolean => "status" in frame && frame.status !== "failed";

interface HttpLinkDeps {
  /** Sends the frame of an action as a request. */
  readonly ask: (text: string) => Promise<Asked>;
  /** Called if the implementation refuses to report its status. */
  readonly refused: () => void;
  /** Called when the link has ended. */
  readonly ended: () => void;
  readonly waiting: Budget;
}

/** Requests as a link. It is open until one of them cannot be delivered. */
export function createHttpLink({ ask, refused, ended, waiting }: HttpLinkDeps) {
  let hooks: LinkHooks | null = null;
  let gate: PromiseWithResolvers<void> | null = null;
  let isOpen = true;
  const end = (): void => {
    if (!isOpen) return;
    isOpen = false;
    gate?.resolve();
    hooks?.closed();
    ended();
  };
  const send = async (text: string): Promise<void> => {
    const answer = await ask(text);
    if (!isOpen) return;
    // The answer comes before the end: with the end of a link, everything that has no answer is lost.
    if (answer.outcome === "lost") hooks?.lost?.(answer.echo);
    else hooks?.received(JSON.stringify(answer.frame));
    if (answer.outcome === "unreachable") end();
    if (answer.outcome === "answered" && answer.action === status && !isDone(answer.frame)) refused();
  };
  /** False if too many wait already, or if the link has ended. */
  const waitForRoom = async (size: number): Promise<boolean> => {
    const closed = gate;
    if (closed === null || !isOpen) return isOpen;
    if (waiting.isUsedUp) return false;
    waiting.take(size);
    await closed.promise;
    waiting.give(size);
    // An action that has waited longer may have closed the gate again.
    return waitForRoom(size);
  };
  const link: Link = {
    send(text) {
      if (isOpen) void send(text);
      return isOpen;
    },
    waiting: () => 0,
    ping: () => void (isOpen && send(question)),
    close: end,
    terminate: end,
    pause: () => void (gate ??= Promise.withResolvers()),
    resume() {
      gate?.resolve();
      gate = null;
    },
  };
  return {
    link,
    end,
    start: (handlers: LinkHooks) => void (hooks = handlers),
    async take(event: string, isOld: boolean): Promise<boolean> {
      const hasRoom = await waitForRoom(event.length);
      if (hasRoom) hooks?.received(event, isOld);
      return hasRoom;
    },
  };
}
