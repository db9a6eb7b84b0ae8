import { fromNodeUpgradeHandler } from "crossws/adapters/node";
import { serve } from "crossws/server/node";
import { expect, it, onTestFinished } from "vitest";
import { openRawSocket } from "test-support/raw-socket";
import { chatPath, open, startTelex, textOf, textTo } from "./harness.ts";

it("is mounted on a crossws server, beside sockets of the host", async () => {
  const { ws, user, group } = await startTelex();
  const [alice, bob] = [await user("Alice"), await user("Bob")];
  const groupId = await group([alice, bob]);
  const telex = fromNodeUpgradeHandler((request, socket, head) => void ws.handleUpgrade(request, socket, head));
  const server = serve({
    port: 0,
    hostname: "127.0.0.1",
    silent: true,
    fetch: () => new Response("a page of the host"),
    websocket: {
      resolve: ({ url }) =>
        new URL(url).pathname.startsWith("/external/")
          ? telex
          : { message: (peer, message) => void peer.send(`echo ${message.text()}`) },
    },
  });
  await server.ready();
  onTestFinished(() => server.close(true));
  const address = String(server.url).replace(/^http/, "ws").replace(/\/$/, "");

  const reader = await open(`${address}${chatPath}/${bob.token}`);
  const writer = await open(`${address}${chatPath}/${alice.token}`);
  writer.socket.send(JSON.stringify(textTo(groupId, "over crossws")));
  expect(await writer.next()).toMatchObject({ type: "SendMessageResult", code: 200 });
  expect(textOf(await reader.next())).toBe("over crossws");

  const own = await openRawSocket(`${address}/own`);
  onTestFinished(() => own.socket.terminate());
  own.socket.send("hello");
  expect(await own.nextText()).toBe("echo hello");
});
