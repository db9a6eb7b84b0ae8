import { beforeAll, describe, expect, it } from "vitest";
import { call, command, type Example, launchExample } from "./support.ts";

const hosts = ["embed-node-http", "embed-express", "embed-fastify", "embed-hono", "embed-h3"];

describe.each(hosts)("%s", (name) => {
  // One process for all cases, of which the last one stops it.
  let example: Example;
  beforeAll(async () => {
    example = await launchExample(name);
    return example.kill;
  });

  it("answers calls below /telex, and its own pages elsewhere", async () => {
    const { url, token } = example;
    const own = await fetch(url);
    expect(await own.text()).toBe("A page of the server itself.\n");
    const known = await call(`${url}/telex`, "/oauth2/userId", token);
    expect(known).toEqual({ status: 200, body: { code: 200, msg: "success", data: { id: 1 } } });
    const device = { deviceId: "printer", name: "打印机" };
    const registered = await call(`${url}/telex`, "/teleprinter/register", token, device);
    expect(registered).toMatchObject({ status: 200, body: { data: { ...device, online: true } } });
  });

  it("refuses in the envelope, and tells no token back", async () => {
    const { url, token } = example;
    const nobody = await call(`${url}/telex`, "/oauth2/userId", "tlxp_nobody");
    expect(nobody).toMatchObject({ status: 401, body: { code: 401, data: { error: "invalid_token" } } });
    const nowhere = await fetch(`${url}/telex/nowhere?access_token=${token}`);
    const text = await nowhere.text();
    expect(JSON.parse(text)).toMatchObject({ code: 404, data: { error: "not_found" } });
    expect(text).not.toContain(token);
    const malformed = { method: "POST", headers: { "content-type": "application/json" }, body: "{nope" };
    const register = `${url}/telex/external/api/v1/teleprinter/register?access_token=${token}`;
    const refused = await fetch(register, malformed);
    expect(await refused.json()).toMatchObject({ code: 400, data: { error: "invalid_request" } });
  });

  it("takes uploads as they come, and gives back what it took", async () => {
    const { url, token } = example;
    const form = new FormData();
    form.set("file", new Blob([new Uint8Array(5_000_000)]), "zeros.bin");
    const headers = { authorization: `Bearer ${token}` };
    const upload = { method: "POST", headers, body: form };
    const stored = await fetch(`${url}/telex/external/api/v1/bucket/upload`, upload);
    expect(await stored.json()).toMatchObject({ data: { name: "zeros.bin", size: 5_000_000 } });
  });

  it("sends what is said over the WebSocket, and refuses sockets that are not Telex's", async () => {
    const { url, token, groupId } = example;
    const said = { command: "sendGroupMessage", identifier: "1", groupId, groupType: 1, message: "你好" };
    const result = await command(`${url}/telex`, token, said);
    expect(result).toMatchObject({ type: "SendMessageResult", code: 200, identifier: "1" });
    const history = await call(`${url}/telex`, `/im/getMessage?groupId=${groupId}&groupType=1`, token);
    expect(history).toMatchObject({ body: { data: { groupMessages: [{ content: '[{"text":{"text":"你好"}}]' }] } } });
    await expect(command(url, token, said)).rejects.toMatchObject({ message: "Unexpected server response: 404" });
  });

  it("stops in order: sockets are told, and nothing keeps the process alive", async () => {
    const { url, token, stop } = example;
    const socket = new WebSocket(`${url.replace(/^http/, "ws")}/telex/external/api/v1/im/imWebSocket/${token}`);
    await new Promise((resolve) => socket.addEventListener("open", resolve));
    const closed = new Promise<CloseEvent>((resolve) => socket.addEventListener("close", resolve));
    expect(await stop()).toBe(0);
    expect((await closed).code).toBe(1001);
  });
});
