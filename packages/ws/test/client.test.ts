import { once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import { type ChannelEvent, openChannel, SocketError } from "../src/client/client.ts";
import { startTelex } from "./harness.ts";

async function scene() {
  const running = await startTelex();
  const [alice, bob] = [await running.user("Alice"), await running.user("Bob")];
  return {
    ...running,
    alice,
    bob,
    groupId: await running.group([alice, bob]),
    address: `http://127.0.0.1:${running.port}`,
  };
}

it("calls commands with their types, and tells events", async () => {
  const { address, alice, bob, groupId } = await scene();
  const heard = Promise.withResolvers<ChannelEvent<"rooms">>();
  const onEvent = heard.resolve;
  const listening = await openChannel({ url: address, token: bob.token, channel: "rooms", onEvent });
  onTestFinished(() => listening.close());
  // Its response shows that it listens.
  // @ts-expect-error: groupId must be given
  await expect(listening.call("sendGroupMessage", { groupType: 1, message: "" })).rejects.toMatchObject({
    kind: "refused",
    code: 500,
  });
  const rooms = await openChannel({ url: `${address}/`, token: alice.token, channel: "rooms" });
  const created: number = await rooms.call("sendGroupMessage", { groupId, groupType: 1, message: "hello" });
  const event = await heard.promise;
  expect(event).toMatchObject({ type: "GroupMessage", data: { createTime: created, groupId } });
  rooms.close();
  expect(await rooms.ended).toBeInstanceOf(SocketError);
  await expect(rooms.call("sendGroupMessage", { groupId, groupType: 1, message: "late" })).rejects.toMatchObject({
    kind: "ended",
  });
});

it("is a device, and gives the pieces of a reply before its result", async () => {
  const { telex, address, alice } = await scene();
  const holder = await telex.authenticate(alice.token);
  await telex.teleprinter.register(holder, { deviceId: "printer", name: "Printer" });
  await telex.teleprinter.send(holder, { deviceId: "printer", content: "one" });
  const text = Promise.withResolvers<ChannelEvent<"teleprinter">>();
  const device = await openChannel({
    url: address,
    token: alice.token,
    channel: "teleprinter",
    query: { deviceId: "printer", ack: "1" },
    onEvent: text.resolve,
  });
  const event = await text.promise;
  if (event.type !== "TeleprinterMessage") throw new TypeError(event.type);
  expect(event.data).toMatchObject({ content: "one", delivered: 0 });
  expect(await device.call("ack", { id: event.data.id })).toBeNull();
  expect(await device.call("sync", { content: "read" })).toMatchObject({ content: "read", direction: "from_device" });
  device.close();

  const chat = await openChannel({ url: address, token: alice.token, channel: "chat" });
  const pieces: string[] = [];
  const result = await chat.call("chat", { content: "one two" }, ({ data }) =>
    pieces.push("delta" in data ? data.delta : ""),
  );
  expect(pieces.join("")).toBe(result.content);
  expect(pieces.length).toBeGreaterThan(0);
  chat.close();
});

it("says that a token is not valid, and that nobody answers", async () => {
  const { address, groupId } = await scene();
  const token = `tlxp_${"0".repeat(36)}`;
  const rooms = await openChannel({ url: address, token, channel: "rooms" });
  const call = rooms.call("sendGroupMessage", { groupId, groupType: 1, message: "hello" });
  await expect(call).rejects.toMatchObject({ kind: "ended", code: 4401 });
  const { createServer } = await import("node:net");
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const gone = server.address();
  server.close();
  const port = typeof gone === "object" && gone !== null ? gone.port : 0;
  const opening = openChannel({ url: `http://127.0.0.1:${port}`, token, channel: "rooms" });
  await expect(opening).rejects.toMatchObject({ kind: "ended" });
});
