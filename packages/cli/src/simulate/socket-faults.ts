import type { Connect, SocketEvent } from "@telex/ws/client";
import type { Fault } from "./faults.ts";
import type { Random } from "@telex/conformance/testing";

const rates = { drop: 0.03, dup: 0.1, slow: 0.3, slowest: 1000 } as const;

/**
 * WebSockets with faults. A connection loses no bytes, so `drop` breaks the connection while a frame is on its way; `dup` sends or
 * delivers a frame twice; `slow` delays frames in order, for up to 1 s each.
 */
export function withSocketFaults(connect: Connect, faults: ReadonlySet<Fault>, random: Random): Connect {
  const times = (): number => (faults.has("dup") && random.chance(rates.dup) ? 2 : 1);
  const breaks = (): boolean => faults.has("drop") && random.chance(rates.drop);
  return (address, protocols) => {
    const socket = connect(address, protocols);
    const pass = (frame: () => void): void => {
      if (breaks()) socket.close();
      else for (let left = times(); left > 0; left -= 1) frame();
    };
    const inwards = createDelay(faults, random);
    const outwards = createDelay(faults, random);
    return {
      close: () => socket.close(),
      send: (data) => outwards(() => pass(() => socket.send(data))),
      addEventListener(type, listener) {
        const held = (event: SocketEvent): void => inwards(() => pass(() => listener(event)));
        socket.addEventListener(type, type === "message" ? held : listener);
      },
    };
  };
}

/** Runs functions in order, some of them late. */
function createDelay(faults: ReadonlySet<Fault>, random: Random): (run: () => void) => void {
  let last = Promise.resolve();
  return (run) => {
    const delay = faults.has("slow") && random.chance(rates.slow) ? random.next() * rates.slowest : 0;
    const before = last;
    last = (async () => {
      await before;
      if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
      run();
    })();
  };
}
