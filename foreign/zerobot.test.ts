import { expect, it } from "vitest";
import { runFramework, startRoom, tryPlugins, tryRestarts } from "./support/framework.ts";
import { goProgram } from "./support/go.ts";

it("ZeroBot runs its plug-ins in a room of Telex, also after a restart of either side", async () => {
  const room = await startRoom();
  await room.allow({});
  const begin = () => runFramework(goProgram("onebot-zerobot"), [room.at(11), room.botToken, room.botId]);
  const framework = begin();
  expect(await framework.seen({ kind: "connected" })).toMatchObject({ self: room.botId, name: "Helper" });
  await tryPlugins(room, framework);
  await tryRestarts(room, framework, begin);
}, 120_000);
