import { describe, expect, it } from "vitest";
import { runFramework, startRoom, tryPlugins, tryRestarts } from "./support/framework.ts";
import { goProgram } from "./support/go.ts";
import { serverCounts } from "./support/installation.ts";

describe.each(serverCounts(true))("ZeroBot with OneBot, servers: %i", (count) => {
  it("runs its plug-ins in a room of Telex, also after a restart of the bot and the end of a server", async () => {
    const room = await startRoom(count);
    await room.allow({});
    const begin = () => runFramework(goProgram("onebot-zerobot"), [room.at(11), room.botToken, room.botId]);
    const framework = begin();
    expect(await framework.seen({ kind: "connected" })).toMatchObject({ self: room.botId, name: "Helper" });
    await tryPlugins(room, framework);
    await tryRestarts(room, framework, begin);
  }, 240_000);
});
