import { describe, expect, it } from "vitest";
import type { LogFields, Logger } from "./log.ts";
import { createSecurityLog, idsOf } from "./security.ts";

function setup() {
  const lines: (readonly [string, LogFields | undefined])[] = [];
  const keep = (event: string, fields?: LogFields) => void lines.push([event, fields]);
  const log: Logger = { info: keep, warn: keep, error: keep };
  let now = 0;
  const security = createSecurityLog(log, { now: () => now, after: () => () => undefined });
  return { lines, security, pass: (milliseconds: number) => void (now += milliseconds) };
}

describe("a security log", () => {
  it("has the first event of each key and minute that any caller can cause", () => {
    const { lines, security, pass } = setup();
    const refuse = (address: string) => security.noteOnce("token.refused", address, { address });
    for (let time = 0; time < 5; time += 1) refuse("a");
    refuse("b");
    security.noteOnce("rate.limited", "a", { address: "a" });
    pass(59_999);
    refuse("a");
    expect(lines.map(([event, fields]) => `${event} ${String(fields?.["address"])}`)).toEqual([
      "token.refused a",
      "token.refused b",
      "rate.limited a",
    ]);
    pass(1);
    refuse("a");
    expect(lines).toHaveLength(4);
  });

  it("has everything that was done", () => {
    const { lines, security } = setup();
    security.note("user.added", { userId: 1 });
    security.note("user.added", { userId: 1 });
    expect(lines).toHaveLength(2);
  });

  it("takes ids from an input and an output, and nothing else", () => {
    const output = { id: 4, userId: 7, token: "tlxp_x", name: "Ada", scopes: ["chat"] };
    expect(idsOf("token.issued", [output, { userId: 8, deviceId: "d", life: 5 }])).toEqual({
      tokenId: 4,
      userId: 7,
      deviceId: "d",
    });
    expect(idsOf("user.changed", [null, { id: 3, phone: "555" }])).toEqual({ userId: 3 });
  });

  it("names added and removed members of a room in a line of bounded length", () => {
    const input = { groupId: 2, add: [3, 4], remove: [5] };
    expect(idsOf("group.changed", [[{ userId: 3 }], input])).toEqual({ groupId: 2, added: "3,4", removed: "5" });
    const many = Array.from({ length: 10_000 }, (_, index) => index + 1);
    const { added } = idsOf("group.changed", [[], { groupId: 2, add: many, remove: [] }]);
    expect(added).toMatch(/^1,2,3.*,50 and 9950 more$/);
  });
});
