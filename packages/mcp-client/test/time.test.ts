import { createManualClock, until } from "@telex/conformance/testing";
import { operator } from "@telex/core";
import { expect, it } from "vitest";
import { all, createProgram, openTools, resultsOf } from "./scene.ts";

const moves = [{ tool: "files_remove", args: { path: "a" } }, "Well."];
const refusal = "The person did not allow this call. Do not ask for it again.";

/** An instance with a clock that only the test advances. */
async function open() {
  const clock = createManualClock();
  const { server, lines } = createProgram({ rooms: ["m"] });
  const kit = await openTools({ servers: { files: server } }, moves, { clock });
  const refused = (): string[] => resultsOf(kit.requests[1]?.messages ?? []);
  return { ...kit, clock, lines, refused };
}

it("refuses a call in a chat if the person does not answer within 60 s", async () => {
  const { telex, alice, clock, refused, lines } = await open();
  const late: unknown[] = [];
  const events = await all(await telex.ai.chat(alice, { content: "x", tools: true }), async (event) => {
    if (event.kind !== "toolRequest") return;
    await clock.advance(59_999);
    expect(refused()).toEqual([]);
    await clock.advance(1);
    await telex.ai.tool(alice, { callId: event.callId, allow: true }).catch((error: unknown) => late.push(error));
  });
  expect(events.map(({ kind }) => kind)).toEqual(["toolRequest", "tool", "delta", "result"]);
  expect([refused(), lines()]).toEqual([[refusal], []]);
  expect(late).toMatchObject([{ code: "not_found" }]);
});

it("refuses a call in a room, and on a device, if the person does not answer within 60 s", async () => {
  const { telex, alice, clock, refused, lines } = await open();
  const { id } = await telex.operator.users.add(operator, { nickname: "Echo", ai: "m" });
  const { groupId } = await telex.operator.groups.add(operator, {
    groupType: 1,
    name: "Room",
    members: [alice.userId, id],
  });
  const said = async () => (await telex.messages.history(alice, { groupId, groupType: 1 })).groupMessages;
  await telex.messages.send(alice, { groupId, groupType: 1, message: "@Echo remove it" });
  await until(async () => (await said()).length === 2);
  await clock.advance(60_000);
  await until(async () => (await said()).length === 3);
  expect([refused(), lines()]).toEqual([[refusal], []]);
  const texts = async () =>
    (await telex.teleprinter.messages(alice, { deviceId: "printer", pageSize: 20 })).messages.map(
      ({ content }) => content,
    );
  await telex.teleprinter.register(alice, { deviceId: "printer", name: "Printer", ai: "m" });
  await telex.teleprinter.sync(alice, { deviceId: "printer", content: "Remove it." });
  await until(async () => (await texts()).length === 2);
  await clock.advance(60_000);
  await until(async () => (await texts())[0] === "Well.");
  expect(lines()).toEqual([]);
});
