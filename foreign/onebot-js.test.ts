import { describe, expect, it } from "vitest";
import { runFramework, startRoom, tryPlugins, tryRestarts } from "./support/framework.ts";
import { npmProgram } from "./support/npm.ts";

describe.each([
  ["Koishi", "koishi.mjs", 11],
  ["node-napcat-ts", "napcat.mjs", 11],
  ["@alemonjs/onebot", "alemon.mjs", 12],
] as const)("%s with OneBot", (_name, program, version) => {
  it("runs its plug-ins in a room of Telex, also after a restart of either side", async () => {
    const room = await startRoom();
    await room.allow({});
    const begin = () =>
      runFramework(process.execPath, [npmProgram(program), room.at(version), room.botToken, room.botId]);
    const framework = begin();
    expect(await framework.seen({ kind: "connected" })).toMatchObject({ self: room.botId, name: "Helper" });
    await tryPlugins(room, framework);
    if (version === 11) expect(await (await room.alice()).ask("/history", ",/history")).toContain("消息已撤回");
    await tryRestarts(room, framework, begin);
  }, 120_000);
});
