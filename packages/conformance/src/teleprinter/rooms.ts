import assert from "node:assert/strict";
import { defineCases, type StorageCase } from "../support/case.ts";
import { expectOutcome, withOutcome } from "../support/expect.ts";
import { appendTexts, claim, now, pageAll, printer, take, textFrom, textTo } from "../support/fixtures.ts";

/** Promises of a storage about devices that print a room. */
export const teleprinterRoomCases: readonly StorageCase[] = defineCases("teleprinter rooms", {
  "a device keeps its room when it is claimed or renamed without one, until it is claimed with another or with none":
    async ({ storage: { teleprinter } }) => {
      const rooms: string[] = [];
      const printed = { groupId: 4, mentions: true, life: 60 };
      for (const room of [printed, undefined, { groupId: 5, mentions: false }, null, undefined]) {
        const setting = room === undefined ? {} : { room };
        const claimed = await teleprinter.claimDevice({ ...printer, name: "Printer", now, ...setting });
        await teleprinter.amendDevice({ ...printer, change: { name: "Renamed" } });
        expectOutcome(claimed, rooms.length === 0 ? "claimed" : "renewed");
        const device = await teleprinter.findDevice(printer.deviceId);
        assert.deepEqual(device, { ...claimed.device, name: "Renamed" });
        rooms.push(`${device.roomId} ${device.roomMentions} ${device.roomLife}`);
      }
      assert.deepEqual(rooms, ["4 true 60", "4 true 60", "5 false null", "null false null", "null false null"]);
    },

  "the printers of a room are listed by ID, and only while they print it": async ({ storage: { teleprinter } }) => {
    const register = (deviceId: string, groupId: number | null) => {
      const room = groupId === null ? null : { groupId, mentions: false };
      return teleprinter.claimDevice({ ...printer, deviceId, name: "Printer", now, room });
    };
    for (const deviceId of ["c", "a", "b"]) await register(deviceId, 4);
    await register("other", 5);
    await register("none", null);
    const list = async (groupId: number) => (await teleprinter.listPrinters(groupId)).map(({ deviceId }) => deviceId);
    assert.deepEqual([await list(4), await list(5), await list(6)], [["a", "b", "c"], ["other"], []]);
    await register("a", 5);
    await register("b", null);
    await teleprinter.releaseDevice({ deviceId: "c", owner: printer.owner });
    assert.deepEqual([await list(4), await list(5)], [[], ["a", "other"]]);
    assert.deepEqual((await teleprinter.listPrinters(5))[0], await teleprinter.findDevice("a"));
  },

  "texts of a room are marked, and can be left out of a page": async ({ storage: { teleprinter } }) => {
    await claim(teleprinter);
    await appendTexts(teleprinter, [textTo("own"), textTo("of the room", { room: true }), textFrom("said")]);
    await teleprinter.claimDevice({ ...printer, name: "Printer", now, room: { groupId: 4, mentions: false } });
    await appendTexts(teleprinter, [textFrom("said in the room"), textTo("own again")]);
    const all = (await pageAll(teleprinter)).map(({ content, room }) => `${content}${room ? "*" : ""}`);
    assert.deepEqual(all, ["own again", "said in the room*", "said", "of the room*", "own"]);
    const request = { ...printer, limit: 2, withoutRooms: true };
    const page = withOutcome(await teleprinter.page({ ...request, before: null }), "page");
    assert.deepEqual([page.messages.map(({ content }) => content), page.more], [["own again", "said"], true]);
    const before = page.messages.at(-1)?.id ?? 0;
    const rest = withOutcome(await teleprinter.page({ ...request, before }), "page");
    assert.deepEqual([rest.messages.map(({ content }) => content), rest.more], [["own"], false]);
  },

  "texts of a room wait as before if others are taken without them": async ({ storage: { teleprinter } }) => {
    await claim(teleprinter);
    const room = { room: true };
    const texts = [textTo("room 1", room), textTo("own 1"), textTo("room 2", room), textTo("own 2"), textTo("own 3")];
    const [room1, own1, room2, own2, own3] = await appendTexts(teleprinter, texts);
    const own = { holder: "own", withoutRooms: true };
    assert.deepEqual(await take(teleprinter, { ...own, limit: 2 }), [own1, own2]);
    assert.deepEqual(await take(teleprinter, { ...own, after: own2?.id ?? 0 }), [own3]);
    await teleprinter.requeue({ deviceId: printer.deviceId, holder: "own" });
    assert.deepEqual(await take(teleprinter), [room1, own1, room2, own2, own3]);
    await teleprinter.deliver({ ...printer, holder: "poll-1", ids: [own1?.id ?? 0], ends: true });
    assert.deepEqual(await take(teleprinter, own), [own2, own3]);
    const last = { ...printer, holder: "own", ids: [own2?.id ?? 0, own3?.id ?? 0], ends: true };
    assert.equal((await teleprinter.deliver(last)).length, 2);
    assert.deepEqual(await take(teleprinter, own), []);
    assert.deepEqual(await take(teleprinter), [room1, room2]);
  },

  "texts of a room are neither marked nor shown by an acknowledgement without them": async ({
    storage: { teleprinter },
  }) => {
    await claim(teleprinter);
    const room = { room: true };
    const texts = [textTo("room 1", room), textTo("own 1"), textTo("room 2", room), textTo("own 2")];
    const [room1, own1, room2, own2] = await appendTexts(teleprinter, texts);
    const request = { ...printer, limit: 10, now };
    const shown = await teleprinter.acknowledge({ ...request, upTo: 0, withoutRooms: true });
    assert.deepEqual(shown, { outcome: "acknowledged", messages: [own1, own2], marked: [] });
    const marked = await teleprinter.acknowledge({ ...request, upTo: own2?.id ?? 0, withoutRooms: true });
    assert.deepEqual(marked, { outcome: "acknowledged", messages: [], marked: [own1?.id, own2?.id] });
    const others = await teleprinter.acknowledge({ ...request, upTo: 0 });
    assert.deepEqual(others, { outcome: "acknowledged", messages: [room1, room2], marked: [] });
  },
});
