import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { freePort } from "test-support/port";
import { foreign } from "./support/cache.ts";
import { type Framework, runFramework, startRoom, tryPlugins, tryRestarts } from "./support/framework.ts";
import { serverCounts } from "./support/installation.ts";
import { pythonProgram } from "./support/python.ts";

const program = join(foreign, "onebot-nonebot", "main.py");

const modes = [
  { version: 11, mode: "forward", counts: serverCounts(true) },
  { version: 12, mode: "reverse", counts: serverCounts(false) },
] as const;

const cases = modes.flatMap(({ counts, ...mode }) => counts.map((count) => ({ ...mode, count })));

describe.each(cases)("NoneBot with OneBot $version, $mode, servers: $count", ({ version, mode, count }) => {
  it("runs its plug-ins in a room of Telex, also after a restart of the bot and the end of a server", async () => {
    const room = await startRoom(count);
    const botPort = await freePort();
    const connect = `ws://127.0.0.1:${botPort}/onebot/v12/ws`;
    const oneBot = mode === "forward" ? {} : { connect, secret: "s3cret", protocol: version };
    const [where, token] = mode === "forward" ? [room.at(version), room.botToken] : [String(botPort), "s3cret"];
    const begin = (): Framework =>
      runFramework(pythonProgram("python"), [program, String(version), mode, where, token]);

    await room.allow({});
    const nonebot = begin();
    await nonebot.seen({ kind: "started" });
    await room.allow(oneBot);
    const connected = await nonebot.seen({ kind: "connected" });
    expect(connected).toMatchObject({ self: room.botId, name: "Helper" });
    expect(z.array(z.coerce.number()).parse(connected["groups"])).toEqual([room.groupId]);
    await tryPlugins(room, nonebot);
    const { alice } = room;
    if (version === 11) expect(await alice.ask("/history", ",/history")).toContain("消息已撤回");
    await alice.ask("/wrong", version === 11 ? "ActionFailed" : "UnsupportedAction");
    await tryRestarts(room, nonebot, begin);
  }, 240_000);
});
