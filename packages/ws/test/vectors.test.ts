import { playWs, wsVectors } from "test-support/ws-vectors";
import { expect, it } from "vitest";
import { open, startTelex } from "./harness.ts";

it.each(wsVectors)("$rule ($file)", async (vector) => {
  const { frameSize, ...limits } = vector.given.limits ?? {};
  const { url, user, group } = await startTelex({
    limits,
    ws: { limits: frameSize === undefined ? {} : { frameSize } },
  });
  const connect = (token: string, query: string, protocols?: readonly string[]) => open(url(token, query), protocols);
  const outcomes = await playWs({ user, group, open: connect }, vector);
  expect(outcomes.map(([received]) => received)).toEqual(outcomes.map(([, expected]) => expected));
});
