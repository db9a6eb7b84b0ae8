import { anonymous, operator } from "@telex/core";
import { expect, it } from "vitest";
import { open, type Running, startTelex } from "./harness.ts";

const deviceId = "printer";
const path = "/external/api/v1/teleprinter/webSocket";

const connect = ({ port }: Running, token: string) =>
  open(`ws://127.0.0.1:${port}${path}/${token}?deviceId=${deviceId}`);

async function start() {
  const running = await startTelex();
  const { telex } = running;
  const alice = await running.user("Alice");
  const owner = await telex.authenticate(alice.token);
  const pair = async () => {
    const { code, secret } = await telex.pairing.pair(anonymous, { deviceId, name: "Printer" });
    await telex.pairing.confirmPairing(owner, { code });
    return (await telex.pairing.collect(anonymous, { secret })).token ?? "";
  };
  const connected = async (token: string) => {
    const device = await connect(running, token);
    device.send({ identifier: 1, command: "heartbeat" });
    expect(await device.next()).toMatchObject({ type: "HeartbeatResult", code: 200 });
    return device;
  };
  return { running, telex, alice, owner, pair, connected };
}

it("unregistering closes the socket of the device's token with 4401, and lets it in no more", async () => {
  const { running, telex, owner, pair, connected } = await start();
  const token = await pair();
  const device = await connected(token);
  await telex.teleprinter.unregister(owner, { deviceId });
  expect(await device.closed).toBe(4401);
  const again = await connect(running, token);
  again.send({ identifier: 2, command: "heartbeat" });
  expect(await again.next()).toMatchObject({ type: "LoginFail" });
});

it("pairing the ID again closes the socket of the earlier token with 4401; that of its owner goes on", async () => {
  const { alice, pair, connected } = await start();
  const first = await connected(await pair());
  const second = await pair();
  expect(await first.closed).toBe(4401);
  const device = await connected(second);
  await device.close();
  const own = await connected(alice.token);
  await pair();
  own.send({ identifier: 2, command: "heartbeat" });
  expect(await own.next()).toMatchObject({ type: "HeartbeatResult", code: 200 });
});

it("a token with chat as well goes on when its device is paired again", async () => {
  const { telex, alice, pair, connected } = await start();
  const scopes = ["chat", `device:${deviceId}`];
  const { token } = await telex.operator.tokens.issue(operator, { userId: alice.id, scopes });
  await pair();
  const device = await connected(token);
  await pair();
  device.send({ identifier: 2, command: "heartbeat" });
  expect(await device.next()).toMatchObject({ type: "HeartbeatResult", code: 200 });
});
