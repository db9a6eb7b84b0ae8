import { createMemoryNetwork } from "@telex/conformance/testing";
import { expect, it } from "vitest";
import { messageOf, open, startTelex, textOf, textTo } from "./harness.ts";

/** A room of type 0 with alice and bob, and its network. */
async function scene() {
  const network = createMemoryNetwork();
  const running = await startTelex({ plugins: [{ name: "network", gateways: [network.gateway] }] });
  const [alice, bob] = [await running.user("Alice"), await running.user("Bob")];
  const groupId = await running.group([alice, bob], 0);
  const [client, other] = [await open(running.url(alice.token)), await open(running.url(bob.token))];
  const say = (text: string) => client.send({ ...textTo(groupId, text, "q"), groupType: 0 });
  const comeBack = (since: number) => open(running.url(bob.token, `?since=${since}`));
  return { network, groupId, client, other, say, comeBack };
}

const segments = (text: string) => [{ type: "text", data: { text } } as const];

it("what is said in an external network reaches every member once, also who comes back", async () => {
  const { network, groupId, client, other, comeBack } = await scene();
  const question = { messageId: "x-1", createTime: 1_700_000_000_123, segments: segments("is there tea?") };
  await network.say(question);
  await network.say(question);
  await network.say({ messageId: "x-2", segments: segments("hello?") });
  const first = { groupId, userId: "1001", nickname: "陌生人", createTime: 1_700_000_000_123 };
  let id = 0;
  for (const socket of [client, other]) {
    const message = messageOf(await socket.next());
    expect(message).toMatchObject(first);
    expect(textOf(await socket.next())).toBe("hello?");
    id = message.messageId;
  }
  const back = await comeBack(id);
  expect(textOf(await back.next())).toBe("hello?");
});

it("the echo of a message that was sent reaches nobody a second time", async () => {
  const { network, client, other, say } = await scene();
  network.mood = "echo";
  say("there is");
  expect(await client.next()).toMatchObject({ type: "SendMessageResult", code: 200, identifier: "q" });
  const { messageId = "" } = network.sent[0] ?? {};
  expect(await network.say({ messageId, isOwn: true, segments: segments("there is") })).toMatchObject({
    outcome: "known",
  });
  await network.say({ messageId: "x-1", segments: segments("thanks") });
  expect([textOf(await other.next()), textOf(await other.next())]).toEqual(["there is", "thanks"]);
  expect(textOf(await client.next())).toBe("thanks");
});

it.each([
  { isConnected: false, isOnline: true },
  { isConnected: true, isOnline: false },
])("an account with %j is offline for senders: 300, and nothing is sent", async (state) => {
  const { network, client, say } = await scene();
  Object.assign(network, state);
  say("anybody?");
  expect(await client.next()).toMatchObject({ type: "SendMessageResult", code: 300, identifier: "q" });
  expect(network.sent).toEqual([]);
});
