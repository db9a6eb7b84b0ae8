import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { foreign } from "./support/cache.ts";
import { type Framework, runFramework, startRoom, tryPlugins, tryRestarts } from "./support/framework.ts";
import { pythonProgram } from "./support/python.ts";
import { freePort } from "test-support/port";

const program = join(foreign, "onebot-nonebot", "main.py");

describe.each([
  [11, "forward"],
  [12, "reverse"],
] as const)("NoneBot with OneBot %i, %s", (version, mode) => {
  it("runs its plug-ins in a room of Telex, also after a restart of either side", async () => {
    const room = await startRoom();
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
    const person = await room.alice();
    if (version === 11) expect(await person.ask("/history", ",/history")).toContain("消息已撤回");
    await person.ask("/wrong", version === 11 ? "ActionFailed" : "UnsupportedAction");
    await tryRestarts(room, nonebot, begin);
  }, 180_000);
});
