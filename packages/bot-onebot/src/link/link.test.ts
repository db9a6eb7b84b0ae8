import { expect, it } from "vitest";
import { boundedLink, type Link } from "./link.ts";

const bound = 32 * 2 ** 20;

it("a link whose other side does not read is cut before more than 32 MiB and one frame wait", () => {
  const waiting: string[] = [];
  let isOpen = true;
  const size = (): number => waiting.reduce((sum, { length }) => sum + length, 0);
  const link: Link = {
    send: (text) => waiting.push(text) > 0,
    waiting: size,
    ping() {},
    close() {},
    terminate: () => void (isOpen = false),
    pause() {},
    resume() {},
  };
  const bounded = boundedLink(link);
  const frame = "x".repeat(2 ** 20);
  let sent = 0;
  while (sent < 100 && bounded.send(frame)) sent += 1;
  expect([sent, isOpen, size()]).toEqual([33, false, bound + frame.length]);
});
