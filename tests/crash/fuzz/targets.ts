import { createMemoryBlobs } from "@telex/blobs/memory";
import { createTelex, type LogFields, operator, type Telex, TelexError } from "@telex/core";
import { codePoints } from "@telex/core/contract";
import { parseJson } from "@telex/core/transport";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createHttp, type Http, serveHttp, type ServeOptions } from "@telex/http";
import { createMqtt } from "@telex/mqtt";
import { createMemoryStorage } from "@telex/storage-memory";
import { createWs } from "@telex/ws";
import { z } from "zod";
import type { FuzzTarget } from "./fuzzer.ts";
import { mqttTarget } from "./mqtt-target.ts";
import { openRawSocket } from "test-support/raw-socket";

/** A server in this process, with a user, a room and a file. */
interface Ground {
  readonly telex: Telex;
  readonly http: Http;
  readonly url: string;
  readonly token: string;
  readonly groupId: number;
  /** A path under which the file is downloaded. */
  readonly file: string;
}

const fileSize = 1000;

async function upload(
  http: Http,
  token: string,
  body: Uint8Array<ArrayBuffer> | FormData,
  type?: string,
): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, ...(type !== undefined && { "content-type": type }) };
  const init = { method: "POST", headers, body };
  return await http.fetch(new Request("http://fuzz.test/external/api/v1/bucket/upload", init));
}

function parse(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
}

const fail = (message: string): never => {
  throw new Error(message);
};

/** JSON: rejects the same texts as `JSON.parse`, and changes only ids that are written as floats. */
const json: FuzzTarget = {
  name: "json",
  seeds: [
    '{"groupId":1.0,"id":-0,"content":"\\ud83d\\ude00 \\"id\\": 1.0"}',
    '{"\\u0069d":1e0,"a":[{"messageId":12}]}',
    "[1,",
  ],
  run: (input) => {
    const text = input.toString("utf8");
    const expected = parse(text);
    let value: unknown;
    try {
      value = parseJson(text);
    } catch (error) {
      if (error instanceof SyntaxError && expected === null) return Promise.resolve();
      throw error;
    }
    if (expected === null) fail("took what is not JSON");
    const isSame = JSON.stringify(value) === JSON.stringify(expected?.value);
    const hasOddId = /[dD64]"\s*:\s*(-0|-?\d+[.eE])/.test(text);
    if (!isSame && !hasOddId) fail("changed a value");
    return Promise.resolve();
  },
};

const isClientError = (status: number): boolean => status >= 200 && status < 500;

function multipart({ http, token }: Ground): FuzzTarget {
  const part =
    '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n';
  return {
    name: "multipart",
    seeds: [`${part}hello\r\n--x--\r\n`, `${part}hello`, `--x\r\n\r\n\r\n--x--`, `${part}a\r\n${part}b\r\n--x--\r\n`],
    async run(input) {
      const answer = await upload(http, token, new Uint8Array(input), "multipart/form-data; boundary=x");
      await answer.arrayBuffer();
      if (!isClientError(answer.status)) fail(`answered ${answer.status}`);
    },
  };
}

function ranges({ http, file }: Ground): FuzzTarget {
  return {
    name: "ranges",
    seeds: ["bytes=0-9", "bytes=-5", "bytes=999-", "bytes=5-1", "bytes=0-1,3-4", "bytes=1000-"],
    async run(input) {
      // Node passes only visible characters in a header.
      const range = input
        .toString("latin1")
        .replaceAll(/[^\u0020-\u007e]/g, "")
        .trim();
      const answer = await http.fetch(new Request(`http://fuzz.test${file}`, { headers: { range } }));
      const { length } = new Uint8Array(await answer.arrayBuffer());
      if (answer.status === 200 && length !== fileSize) fail(`sent ${length} bytes as the whole file`);
      if (answer.status === 206) checkRange(answer.headers.get("content-range") ?? "", length);
      if (![200, 206, 416].includes(answer.status)) fail(`answered ${answer.status}`);
    },
  };
}

function checkRange(contentRange: string, length: number): void {
  const [, start = "", end = "", size = ""] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(contentRange) ?? [];
  const isRight = Number(size) === fileSize && Number(end) < fileSize && Number(end) - Number(start) + 1 === length;
  if (!isRight) fail(`sent ${length} bytes as ${contentRange}`);
}

function segments({ telex, token, groupId }: Ground): FuzzTarget {
  return {
    name: "segments",
    seeds: [
      '[{"type":"text","data":{"text":"hello"}},{"type":"at","data":{"ext":"all"}}]',
      '[{"type":"image","data":{"file_id":"0123456789abcdef0123456789abcdef"}}]',
      '[{"type":"file","data":{"file_id":"0123456789abcdef0123456789abcdef","name":"a"}}]',
      '[{"type":"reply","data":{"messageId":1}}]',
      '"hello"',
    ],
    async run(input) {
      const message = parse(input.toString("utf8"))?.value;
      const caller = await telex.authenticate(token);
      try {
        await telex.call("messages.send", caller, { groupId, groupType: 1, message });
      } catch (error) {
        if (!TelexError.is(error) || error.code === "internal") throw error;
      }
    },
  };
}

/** The identifier that a result echoes. */
function echoOf(text: string): unknown {
  const value = parse(text)?.value;
  const identifier: unknown = typeof value === "object" && value !== null ? Reflect.get(value, "identifier") : null;
  const isKept = !Array.isArray(value) && (typeof identifier === "string" || typeof identifier === "number");
  return isKept ? identifier : null;
}

async function frames(ground: Ground): Promise<{ readonly target: FuzzTarget; readonly close: () => void }> {
  const url = `${ground.url.replace("http", "ws")}/external/api/v1/im/imWebSocket/${ground.token}`;
  const { send, nextText, socket } = await openRawSocket(url);
  const target: FuzzTarget = {
    name: "frames",
    seeds: [
      `{"identifier":1,"command":"sendGroupMessage","groupId":${ground.groupId},"groupType":1,"message":"hello"}`,
      '{"identifier":1.50,"command":"none"}',
      '{"identifier":"a","command":{"toString":1}}',
      "[]",
      "{",
    ],
    async run(input) {
      const text = input.toString("utf8");
      send(text);
      const answer = parse(await nextText())?.value ?? fail("answered what is not JSON");
      const identifier: unknown = Reflect.get(Object(answer), "identifier");
      if (!Object.is(identifier, echoOf(text))) fail(`echoed ${JSON.stringify(identifier)}`);
    },
  };
  return { target, close: () => socket.close() };
}

function queries({ http, token }: Ground): FuzzTarget {
  return {
    name: "queries",
    seeds: [
      "deviceId=a&limit=1&wait=0&ack=0",
      "cursor=1&pageSize=10&groupId=1&groupType=1",
      "a=%ff&b=%00&c=+",
      "limit=1&limit=2",
    ],
    async run(input) {
      const search = input.toString("latin1").replaceAll(/[^!-~]|#/g, "");
      for (const path of ["teleprinter/poll", "im/getMessage"]) {
        const headers = { authorization: `Bearer ${token}` };
        const answer = await http.fetch(new Request(`http://fuzz.test/external/api/v1/${path}?${search}`, { headers }));
        if (codePoints(await answer.text()) === 0) fail("answered nothing");
        if (!isClientError(answer.status)) fail(`answered ${answer.status}`);
      }
    },
  };
}

/** Sends a file in the room. Returns the path under which it is downloaded. */
async function storeFile(
  telex: Telex,
  http: Http,
  { token, groupId }: Pick<Ground, "token" | "groupId">,
): Promise<string> {
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(fileSize)]), "a.bin");
  const answer = await upload(http, token, form);
  const { data } = z.object({ data: z.object({ file_id: z.string() }) }).parse(await answer.json());
  const caller = await telex.authenticate(token);
  const message = [{ type: "file" as const, data: { file_id: data.file_id, name: "a.bin" } }];
  await telex.messages.send(caller, { groupId, groupType: 1, message });
  const { groupMessages } = await telex.messages.history(caller, { groupId, groupType: 1 });
  const content = z.tuple([z.object({ file: z.object({ relativePath: z.string() }) })]);
  const [{ file }] = content.parse(JSON.parse(groupMessages[0]?.content ?? ""));
  return `/downloadFile/${Buffer.from(file.relativePath).toString("base64url")}/local/a.bin`;
}

/** Every target, on one server in this process. */
export interface FuzzTargets {
  readonly targets: readonly FuzzTarget[];
  close(): Promise<void>;
}

/** A target that must not log a fault either. */
const quiet = (target: FuzzTarget, faults: readonly string[]): FuzzTarget => ({
  ...target,
  async run(input) {
    const before = faults.length;
    await target.run(input);
    if (faults.length > before) fail(`was logged as a fault: ${faults.at(-1)}`);
  },
});

/** Starts a server, and makes a target of every parser of wire data. */
export async function createTargets(): Promise<FuzzTargets> {
  const faults: string[] = [];
  const note = (event: string, fields?: LogFields, cause?: unknown): void => {
    faults.push(`${event} ${JSON.stringify(fields)} ${String(cause)}`);
  };
  const stores = { storage: createMemoryStorage(), blobs: createMemoryBlobs(), images: createSharpEngine() };
  const telex = await createTelex({ ...stores, checkOutput: true, log: { info() {}, warn() {}, error: note } });
  const { id } = await telex.operator.users.add(operator, { nickname: "Alice" });
  const { token } = await telex.operator.tokens.issue(operator, { userId: id, scopes: ["chat"] });
  const { groupId } = await telex.operator.groups.add(operator, { groupType: 1, name: "Room", members: [id] });
  const http = createHttp(telex);
  const ws = createWs(telex);
  const upgrade: ServeOptions["upgrade"] = (request, socket, head) => void ws.handleUpgrade(request, socket, head);
  const serving = await serveHttp(http, { port: 0, upgrade });
  const file = await storeFile(telex, http, { token, groupId });
  const ground: Ground = { telex, http, url: serving.url, token, groupId, file };
  const { target, close } = await frames(ground);
  const mqtt = createMqtt(telex);
  const port = await mqtt.listen({ host: "127.0.0.1", port: 0 });
  const deviceId = "printer";
  await telex.teleprinter.register(await telex.authenticate(token), { deviceId, name: "Printer" });
  const overMqtt = await mqttTarget({ port, token, deviceId });
  const targets = [json, multipart(ground), ranges(ground), segments(ground), queries(ground), target, overMqtt.target];
  return {
    targets: targets.map((one) => quiet(one, faults)),
    async close() {
      close();
      overMqtt.close();
      await mqtt.close();
      await ws.close();
      await serving.close(1000);
      await telex.close();
    },
  };
}
