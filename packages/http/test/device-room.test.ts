import { operator } from "@telex/core";
import { expect, it } from "vitest";
import { overBothTransports, type Setup } from "./setup.ts";

const teleprinter = "/external/api/v1/teleprinter";
const im = "/external/api/v1/im";

async function openRoom(given: Setup): Promise<number> {
  const members = [given.alice.id, given.bob.id];
  return (await given.telex.operator.groups.add(operator, { groupType: 1, name: "Kitchen", members })).groupId;
}

const bodyOf = async (response: Promise<Response>): Promise<unknown> => {
  const body: unknown = await (await response).json();
  return body;
};

/** The text of each message of a room, oldest first. */
async function said(given: Setup, groupId: number): Promise<string[]> {
  const { groupMessages } = await given.telex.messages.history(await given.telex.authenticate(given.alice.token), {
    groupId,
    groupType: 1,
  });
  return groupMessages.map(({ nickname, content }) => `${nickname} ${content}`).toReversed();
}

overBothTransports("a device and a room", (open) => {
  it("the owner has a device print a room, and the device's token says something in it", async () => {
    const given = await open();
    const groupId = await openRoom(given);
    const { token } = given.alice;
    const deviceId = "printer";
    const room = { groupId, mentions: false };
    expect(
      await bodyOf(given.post(`${teleprinter}/register`, { deviceId, name: "P", room: { groupId } }, token)),
    ).toMatchObject({ data: { room } });
    const device = await given.issue(given.alice, [`device:${deviceId}`]);
    const setByDevice = given.post(`${teleprinter}/register`, { deviceId, name: "P", room: null }, device);
    expect((await setByDevice).status).toBe(403);
    await given.post(`${im}/sendGroupMessage`, { groupId, groupType: 1, message: "hello" }, given.bob.token);
    const poll = `${teleprinter}/poll?deviceId=${deviceId}&wait=5`;
    expect(await bodyOf(given.send(poll, { token: device }))).toMatchObject({ data: [{ content: "Bob: hello" }] });
    await given.post(`${teleprinter}/sync`, { deviceId, content: "hi Bob" }, device);
    expect((await said(given, groupId)).at(-1)).toBe('Alice [{"text":{"text":"hi Bob"}}]');
    const foreign = await given.post(`${teleprinter}/register`, { deviceId, name: "P", room: { groupId: 99 } }, token);
    expect([foreign.status, await foreign.json()]).toMatchObject([404, { data: { error: "group_not_found" } }]);
  });

  it("an admin who reads the device does not see what was said in the room", async () => {
    const given = await open();
    const groupId = await openRoom(given);
    const { token } = given.alice;
    await given.post(`${teleprinter}/register`, { deviceId: "printer", name: "P", room: { groupId } }, token);
    await given.post(`${teleprinter}/sync`, { deviceId: "printer", content: "secret" }, token);
    await given.post(`${teleprinter}/send`, { deviceId: "printer", content: "a note" }, token);
    const admin = await given.issue(given.bob, ["admin"]);
    const path = "/external/api/v1/admin/devices/printer/messages";
    expect(await bodyOf(given.send(path, { token: admin }))).toMatchObject({
      data: { messages: [{ content: "a note" }] },
    });
  });

  it("members are mentioned by their number, with their name and their ID in the external network if they have one", async () => {
    const given = await open();
    const groupId = await openRoom(given);
    const { token } = given.alice;
    const mention = (userId: number): Promise<Response> =>
      given.post(
        `${im}/sendGroupMessage`,
        { groupId, groupType: 1, message: [{ type: "at", data: { userId } }] },
        token,
      );
    expect((await mention(given.bob.id)).status).toBe(200);
    await given.telex.operator.users.amend(operator, { id: given.bob.id, ext: "4711" });
    expect((await mention(given.bob.id)).status).toBe(200);
    expect(await said(given, groupId)).toEqual([
      `Alice [{"at":{"ext":"","name":"Bob","userId":"${given.bob.id}"}}]`,
      'Alice [{"at":{"ext":"4711","name":"Bob"}}]',
    ]);
    const stranger = await mention(999);
    expect([stranger.status, await stranger.json()]).toMatchObject([404, { data: { error: "user_not_found" } }]);
  });
});
