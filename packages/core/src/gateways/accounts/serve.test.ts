import { createManualClock, createMemoryNetwork } from "@telex/conformance/testing";
import { expect, it } from "vitest";
import { createServing } from "./serve.ts";

const room = { kind: "group", ext: "g1" } as const;
const member = { account: "bot-1", room, ext: "42" } as const;

/** Answers questions about the account `bot-1`, which knows the member 42. */
function createScene(isHeld: boolean | null = true) {
  const { gateway } = createMemoryNetwork();
  const findMember = ({ ext }: { readonly ext: string }) =>
    Promise.resolve(ext === "42" ? { nickname: "Ada", card: null } : null);
  return createServing({
    running: () => [{ ...gateway, findMember, listMembers: () => Promise.reject(new Error("down")) }],
    faults: { failed: () => undefined, refused: () => undefined },
    clock: createManualClock(),
    limits: { gatewayAnswerTime: 1000 },
    accountLeases: { isHeld: () => isHeld, isAlive: () => Promise.resolve(true) },
  });
}

it("answers another server with the member of a network, or with null for an unknown one", async () => {
  const answer = createScene();
  expect(await answer({ name: "member", ...member })).toEqual({ member: { nickname: "Ada", card: null } });
  expect(await answer({ name: "member", ...member, ext: "43" })).toEqual({ member: null });
});

it("answers for its own accounts only", async () => {
  expect(await createScene(false)({ name: "member", ...member })).toBe(null);
  expect(await createScene()({ name: "member", ...member, account: "bot-2" })).toBe(null);
});

it("rejects if the gateway fails", async () => {
  await expect(createScene()({ name: "members", account: "bot-1", room })).rejects.toThrow("down");
});
