import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { at, listAt, parse, textAt } from "test-support/json";
import { folder, serve, type TestServer } from "test-support/command";
import { createRandom } from "@telex/conformance/testing";
import { openChannel } from "@telex/ws/client";
import { anything, type Api, createApi, type Fields, valueOf } from "./support/api.ts";
import { createCalls, setStage, type Stage } from "./support/calls.ts";
import { makeBytes, md5Of } from "./support/files.ts";
import { paths } from "./support/paths.ts";
import { codeOf, type Socket } from "./support/socket.ts";

const logged = async (server: TestServer, event: string): Promise<void> => {
  while (!server.log().includes(event)) await once(server.process.stderr, "data");
};

/** Begins an upload. The returned function sends the last byte. */
async function beginUpload(url: string, token: string, bytes: Uint8Array) {
  const boundary = "the-boundary";
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  const upload = request(`${url}${paths.upload}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": `multipart/form-data; boundary=${boundary}`,
      "content-length": body.length,
      expect: "100-continue",
    },
  });
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    upload.once("response", resolve).once("error", reject);
  });
  // A test that does not finish the upload ignores its failure.
  answer.catch(() => undefined);
  upload.flushHeaders();
  await once(upload, "continue");
  upload.write(body.subarray(0, -1));
  return async (): Promise<unknown> => {
    upload.end(body.subarray(-1));
    return parse(await text(await answer));
  };
}

/** Begins a request, and returns a function that ends it. */
async function beginRequest(url: string, token: string) {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  await once(socket, "connect");
  socket.write(`GET ${paths.devices} HTTP/1.1\r\nhost: telex\r\nauthorization: Bearer ${token}\r\n`);
  return async (): Promise<string> => {
    socket.write("\r\n");
    return await text(socket);
  };
}

/** Begins a poll that waits. The device went offline before, and is online again because of the poll. */
async function beginPoll(api: Api, deviceId: string) {
  valueOf(await api.post(paths.offline, { deviceId }, anything), "offline");
  const answer = api.get(paths.poll, { deviceId, wait: 60 }, anything);
  while (at(valueOf(await api.get(paths.devices, {}, anything), "devices"), 0, "online") !== true);
  return { answer };
}

/** A reply of the model of which only the beginning was read. */
async function beginChat(url: string, token: string) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const content = "long ".repeat(1000).trim();
  const response = await fetch(`${url}${paths.chat}`, { method: "POST", headers, body: JSON.stringify({ content }) });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let read = (await reader?.read())?.value ?? "";
  return async (): Promise<string> => {
    for (;;) {
      const { done = true, value = "" } = (await reader?.read()) ?? {};
      read += value;
      if (done) return read;
    }
  };
}

/** Many simultaneous messages. Returns the words that were stored and those that were rejected. */
function burst(socket: Socket<"rooms">, { groupId }: Stage, count: number) {
  const words = Array.from({ length: count }, (_, index) => `burst-${index}`);
  return words.map(async (word) => {
    const code = await codeOf(socket.call("sendGroupMessage", { groupId, groupType: 1, message: word }));
    return { word, code };
  });
}

async function contentsOf(url: string, { alice, groupId }: Stage): Promise<string[]> {
  const contents: string[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const fields: Fields = { groupId, groupType: 1, pageSize: 100, ...(cursor !== "" && { cursor }) };
    const page = valueOf(await createApi(url, alice.token).get(paths.history, fields, anything), "history");
    contents.push(
      ...listAt(page, "groupMessages").map((one) => String(at(parse(textAt(one, "content")), 0, "text", "text"))),
    );
    const next = at(page, "nextPageCursor");
    cursor = typeof next === "string" ? next : null;
  }
  return contents;
}

it("SIGTERM answers what is in progress, refuses what is new, closes sockets with 1001, and loses nothing", async () => {
  const stage = await setStage(join(await folder(), "data"));
  const args = ["--data", stage.data, "--rate-limits", "off"];
  const server = await serve(args);
  const { url } = server;
  const { token } = stage.alice;
  const api = createApi(url, token);
  const deviceId = "printer";
  valueOf(await api.post(paths.register, { deviceId, name: "n" }, anything), "register");
  const sockets = await Promise.all([
    openChannel({ url, token, channel: "rooms" }),
    openChannel({ url, token: stage.bob.token, channel: "rooms" }),
    openChannel({ url, token, channel: "teleprinter" }),
  ]);
  const poll = await beginPoll(api, deviceId);
  const image = makeBytes(createRandom(1), true);
  const finishUpload = await beginUpload(url, token, image);
  const finishRequest = await beginRequest(url, token);
  const finishChat = await beginChat(url, token);
  const [speaker] = sockets;
  const sent = burst(speaker, stage, 300);
  await sent[0];

  const stopped = server.stop();
  await logged(server, "server.stopping");
  expect(await poll.answer).toEqual({ kind: "done", value: [] });
  expect(await finishRequest()).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: \d+[\s\S]*"shutting_down"/i);
  expect(await finishUpload()).toMatchObject({ code: 200, data: { file_id: md5Of(image) } });
  expect(await finishChat()).toMatch(/event: ChatResult\ndata: .+"finishReason":"(stop|stopped)"/);
  expect(await Promise.all(sockets.map(async ({ ended }) => (await ended).code))).toEqual([1001, 1001, 1001]);
  const answers = await Promise.all(sent);
  expect(await stopped).toBe(0);
  expect(Number(at(parse(server.log().trimEnd().split("\n").at(-1) ?? ""), "ms"))).toBeLessThan(5000);

  const stored = answers.filter(({ code }) => code === 200).map(({ word }) => word);
  const refused = answers.filter(({ code }) => code === 500).map(({ word }) => word);
  const again = await serve(args);
  const contents = await contentsOf(again.url, stage);
  expect(
    contents
      .toReversed()
      .filter((word) => !refused.includes(word))
      .slice(0, stored.length),
  ).toEqual(stored);
  expect(contents.filter((word) => refused.includes(word))).toEqual([]);
  expect(new Set(contents).size).toBe(contents.length);
  const bytes = valueOf(await createApi(again.url, null).download(`/download/${md5Of(image)}.png`), "download");
  expect(bytes === null ? null : md5Of(bytes)).toBe(md5Of(image));
});

it("a second signal ends the process immediately, and what was answered stays", async () => {
  const stage = await setStage(join(await folder(), "data"));
  const args = ["--data", stage.data, "--rate-limits", "off"];
  const server = await serve(args);
  await (await createCalls(server.url, stage)).prepare();
  await beginUpload(server.url, stage.alice.token, new Uint8Array(50_000));
  server.process.kill("SIGTERM");
  await logged(server, "server.stopping");
  const ended = once(server.process, "close");
  server.process.kill("SIGINT");
  expect((await ended)[0]).toBe(1);
  const calls = await createCalls((await serve(args)).url, stage);
  expect(await calls.snapshot()).toMatchObject({ devices: [["printer", "printer"]], messages: { messages: [{}, {}] } });
});
