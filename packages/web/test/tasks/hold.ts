import type { Page, Request, Route } from "playwright-core";
import { expect } from "vitest";
import type { Task } from "./task.ts";

const external = "/external/api/v1/";

/** Waits until the page has drawn twice: each answer comes that late. A page that has left draws no more. */
export const drawn = (page: Page): Promise<unknown> =>
  page
    .evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    .catch(() => {});

/** The call of a task, which waits until it is let go. */
export interface Held {
  /** Begins to hold the call. Earlier keys may make the same call for another purpose. */
  readonly begin: () => void;
  /** Waits until the page has made it. */
  readonly asked: () => Promise<unknown>;
  readonly letGo: () => void;
  readonly calls: () => number;
}

/** Counts the calls of a task, and lets none through before it is let go. */
function createGate({ key }: Task) {
  const held = Promise.withResolvers<void>();
  let [calls, isHeld] = [0, key === null];
  const begin = (): void => {
    isHeld = true;
  };
  /** Resolves when the call may go on; null if it is not held. */
  const take = (): Promise<void> | null => {
    if (!isHeld) return null;
    calls += 1;
    return held.promise;
  };
  return { begin, take, letGo: held.resolve, calls: () => calls };
}

/** Delays all answers over HTTP, and holds the call of a task. */
export async function holdRequest(page: Page, task: Task): Promise<Held> {
  const [method, path] = task.call;
  const gate = createGate(task);
  const isCall = (request: Request): boolean =>
    request.method() === method && path.test(new URL(request.url()).pathname);
  const answer = async (route: Route): Promise<void> => {
    const request = route.request();
    const held = isCall(request) ? gate.take() : null;
    if (held !== null) await held;
    else if (new URL(request.url()).pathname.startsWith(external)) await drawn(page);
    await route.continue().catch(() => {});
  };
  await page.route(({ pathname }) => pathname.startsWith(external) || path.test(pathname), answer);
  return { ...gate, asked: () => page.waitForRequest(isCall) };
}

const commandOf = (frame: string): string => String(Reflect.get(Object(JSON.parse(frame)), "command"));

/** The sockets of a page. */
export interface Wire {
  /** Holds the command of a task. */
  readonly hold: (task: Task) => Held;
}

/** Delays all frames of the server, on the sockets of pages that load later. */
export async function layWire(page: Page): Promise<Wire> {
  let take = async (_command: string): Promise<void> => {};
  await page.routeWebSocket(/./, (near) => {
    const far = near.connectToServer();
    near.onMessage((frame) => void take(commandOf(String(frame))).then(() => far.send(frame)));
    let last: Promise<unknown> = Promise.resolve();
    far.onMessage((frame) => {
      last = last.then(() => drawn(page)).then(() => near.send(frame));
    });
  });
  const hold = (task: Task): Held => {
    const gate = createGate(task);
    take = async (command) => {
      if (task.call[1].test(command)) await gate.take();
    };
    return { ...gate, asked: () => expect.poll(gate.calls).toBeGreaterThan(0) };
  };
  return { hold };
}
