import { anonymous } from "@telex/core";
import { ticks, until } from "@telex/conformance/testing";
import { describe, expect, it } from "vitest";
import { logIn, type Running, startMqtt, subscribe, tryLogin } from "./harness.ts";

const deviceId = "kitchen";
const token = "telex/kitchen/token";

async function pairing() {
  const running = await startMqtt();
  const alice = await running.person("Alice");
  const caller = await running.caller(alice);
  const { code, secret } = await running.telex.pairing.pair(anonymous, { deviceId, name: "Kitchen" });
  const confirm = async (): Promise<void> => {
    await running.telex.pairing.pairing(caller, { code });
    await running.telex.pairing.confirmPairing(caller, { code });
  };
  return { ...running, caller, code, secret, confirm };
}

const isUsed = async ({ telex }: Pick<Running, "telex">, secret: string): Promise<boolean> =>
  telex.pairing.collect(anonymous, { secret }).then(
    () => false,
    () => true,
  );

describe.each([4, 5] as const)("pairing over MQTT %s", (version) => {
  const refused = version === 5 ? 0x87 : 5;

  it("admits the secret after the user has confirmed the code, and gives the token with QoS 1", async () => {
    const { port, secret, code, confirm, telex, caller } = await pairing();
    const login = { version, username: deviceId, password: secret };
    const codeOf = async (password: string, username = deviceId) => {
      const { answer } = await tryLogin(port, { ...login, password, username });
      return answer.reasonCode ?? answer.returnCode;
    };
    expect([await codeOf(secret), await codeOf(code), await codeOf("x".repeat(43))]).toEqual([
      refused,
      refused,
      refused,
    ]);
    await confirm();
    expect([await codeOf(code), await codeOf(secret, "cellar"), await codeOf(secret, "user")]).toEqual([
      refused,
      refused,
      refused,
    ]);
    const client = await logIn(port, login);
    const given = await client.next("publish");
    expect(given).toMatchObject({ topic: token, qos: 1, retain: false });
    expect(await subscribe(client, token)).toBe(1);
    client.send({ cmd: "puback", messageId: given.messageId ?? 0 });
    await until(async () => (await codeOf(secret)) === refused);

    const device = await logIn(port, { ...login, password: given.payload.toString(), clientId: "device" });
    expect(await subscribe(device, "telex/kitchen/to")).toBe(1);
    expect(await subscribe(device, token)).toBe(version === 5 ? 0x87 : 0x80);
    await telex.teleprinter.send(caller, { deviceId, content: "Hello" });
    expect((await device.next("publish")).payload.toString()).toBe("Hello");
  });

  it("gives a token again to a device that did not acknowledge it, until it does", async () => {
    const kit = await pairing();
    await kit.confirm();
    const login = { version, username: deviceId, password: kit.secret };
    const first = await logIn(kit.port, login);
    await first.next("publish");
    first.socket.destroy();
    const second = await logIn(kit.port, login);
    const { messageId = 0 } = await second.next("publish");
    second.send({ cmd: "puback", messageId: messageId - 1 });
    second.send({ cmd: "pingreq" });
    await second.next("pingresp");
    second.send({ cmd: "puback", messageId });
    second.send({ cmd: "puback", messageId });
    await until(() => isUsed(kit, kit.secret));
    expect(second.socket.readyState).toBe("open");
  });

  it("refuses a secret whose device was unregistered before", async () => {
    const { port, secret, confirm, telex, caller } = await pairing();
    await confirm();
    await telex.teleprinter.unregister(caller, { deviceId });
    const { answer } = await tryLogin(port, { version, username: deviceId, password: secret });
    expect(answer.reasonCode ?? answer.returnCode).toBe(refused);
  });
});

it("counts the token in Receive Maximum", async () => {
  const { port, secret, confirm, telex, caller } = await pairing();
  await confirm();
  await telex.teleprinter.send(caller, { deviceId, content: "one" });
  await telex.teleprinter.send(caller, { deviceId, content: "two" });
  const properties = { receiveMaximum: 1 };
  const client = await logIn(port, { username: deviceId, password: secret, properties });
  const given = await client.next("publish");
  await subscribe(client, "telex/kitchen/to");
  await ticks();
  expect(client.waiting()).toBe(0);
  client.send({ cmd: "puback", messageId: given.messageId ?? 0 });
  expect((await client.next("publish")).payload.toString()).toBe("one");
  await ticks();
  expect(client.waiting()).toBe(0);
});
