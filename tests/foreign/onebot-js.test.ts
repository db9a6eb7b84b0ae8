import { describe, expect, it } from "vitest";
import { runFramework, startRoom, tryPlugins, tryRestarts } from "./support/framework.ts";
import { serverCounts } from "./support/installation.ts";
import { npmProgram } from "./support/npm.ts";

const frameworks = [
  { name: "Koishi", program: "koishi.mjs", version: 11, counts: serverCounts(false) },
  { name: "node-napcat-ts", program: "napcat.mjs", version: 11, counts: serverCounts(false) },
  { name: "@alemonjs/onebot", program: "alemon.mjs", version: 12, counts: serverCounts(false) },
] as const;

const cases = frameworks.flatMap(({ counts, ...framework }) => counts.map((count) => ({ ...framework, count })));

describe.each(cases)("$name with OneBot, servers: $count", ({ program, version, count }) => {
  it("runs its plug-ins in a room of Telex, also after a restart of the bot and the end of a server", async () => {
    const room = await startRoom(count);
    await room.allow({});
    const begin = () =>
      runFramework(process.execPath, [npmProgram("onebot-js", program), room.at(version), room.botToken, room.botId]);
    const framework = begin();
    expect(await framework.seen({ kind: "connected" })).toMatchObject({ self: room.botId, name: "Helper" });
    await tryPlugins(room, framework);
    if (version === 11) expect(await room.alice.ask("/history", ",/history")).toContain("消息已撤回");
    await tryRestarts(room, framework, begin);
  }, 240_000);
});
