import type { Page, Request, Route } from "playwright-core";
import { expect } from "vitest";
import type { Task } from "./task.ts";

const external = "/external/api/v1/";

/** Waits until the page has drawn twice, which delays each response. A page that is being left no longer draws. */
export const drawn = (page: Page): Promise<unknown> =>
  page
    .evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    .catch(() => {});

/** The call of a task, which is held until it is released. */
export interface HeldCall {
  /** Starts to hold the call. Earlier keys may make the same call for another purpose. */
  readonly begin: () => void;
  /** Waits until the page has made the call. */
  readonly asked: () => Promise<unknown>;
  readonly release: () => void;
  readonly calls: () => number;
}

/** Counts the calls of a task, and holds them until they are released. */
function createGate({ key }: Task) {
  const held = Promise.withResolvers<void>();
  let [calls, isHeld] = [0, key === null];
  const begin = (): void => {
    isHeld = true;
  };
  /** Resolves when the call is released. Null if it is not held. */
  const take = (): Promise<void> | null => {
    if (!isHeld) return null;
    calls += 1;
    return held.promise;
  };
  return { begin, take, release: held.resolve, calls: () => calls };
}

/** Delays all HTTP responses, and holds the call of a task. */
export async function holdRequest(page: Page, task: Task): Promise<HeldCall> {
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
export interface Sockets {
  /** Holds the command of a task. */
  readonly hold: (task: Task) => HeldCall;
}

/** Delays all frames of the server, on sockets of pages that load later. */
export async function delaySockets(page: Page): Promise<Sockets> {
  let take = async (_command: string): Promise<void> => {};
  await page.routeWebSocket(/./, (near) => {
    const far = near.connectToServer();
    near.onMessage((frame) => void take(commandOf(String(frame))).then(() => far.send(frame)));
    let last: Promise<unknown> = Promise.resolve();
    far.onMessage((frame) => {
      last = last.then(() => drawn(page)).then(() => near.send(frame));
    });
  });
  const hold = (task: Task): HeldCall => {
    const gate = createGate(task);
    take = async (command) => {
      if (task.call[1].test(command)) await gate.take();
    };
    return { ...gate, asked: () => expect.poll(gate.calls).toBeGreaterThan(0) };
  };
  return { hold };
}
