import { type GatewayOutcome, operator, type Plugin, type TokenHolder } from "@telex/core";
import type { ByteStream } from "@telex/core/storage";
import { createMemoryNetwork, type Person } from "@telex/conformance/testing";
import { describe, expect, it } from "vitest";
import {
  type Client,
  messageOf,
  open,
  type Running,
  segmentsOf,
  startTelex,
  type StartOptions,
  textOf,
  textTo,
} from "./harness.ts";

interface Scene extends Running {
  readonly alice: Person;
  readonly bob: Person;
  readonly groupId: number;
  /** Alice's. */
  readonly client: Client;
}

async function scene(options: StartOptions & { readonly groupType?: number } = {}): Promise<Scene> {
  const running = await startTelex(options);
  const alice = await running.user("Alice");
  const bob = await running.user("Bob");
  const groupId = await running.group([alice, bob], options.groupType);
  return { ...running, alice, bob, groupId, client: await open(running.url(alice.token)) };
}

/** A gateway whose sends have this outcome. */
const bot = (outcome: GatewayOutcome): Plugin => {
  const { gateway } = createMemoryNetwork({ account: { account: "bot-1" } });
  return { name: "bot", gateways: [{ ...gateway, send: () => Promise.resolve(outcome) }] };
};

/** The answer to a `sendGroupMessage` with these fields. */
async function ask({ client, groupId }: Scene, fields: object) {
  client.send({ identifier: "q", command: "sendGroupMessage", groupId, groupType: 1, message: "hello", ...fields });
  return client.next();
}

const anyText: unknown = expect.any(String);
const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);

const text = (value: unknown) => [{ type: "text", data: { text: value } }];

const failed = (msg: unknown, identifier: unknown = "q") => ({ type: "OperationFailed", code: 500, identifier, msg });

const holderOf = ({ id }: Person): TokenHolder => ({
  kind: "token",
  userId: id,
  scopes: ["chat"],
  tokenId: null,
  expiresAt: null,
});

async function* bytesOf(content: string): ByteStream {
  yield Buffer.from(content);
}

async function upload({ telex }: Running, person: Person, content: string): Promise<string> {
  const file = { name: "notes.txt", mime: "text/plain", bytes: bytesOf(content) };
  return (await telex.bucket.upload(holderOf(person), { file })).file_id;
}

describe("a message that is sent", () => {
  it("is answered with its creation time, in the documented order of fields", async () => {
    const { client, groupId } = await scene();
    client.send(textTo(groupId, "你好", "a1"));
    expect(await client.nextText()).toMatch(
      /^\{"type":"SendMessageResult","code":200,"identifier":"a1","data":\d{13},"msg":"success"\}$/,
    );
  });

  it("is mirrored to the other members, and not to the connection that sent it", async () => {
    const { client, groupId, bob, alice, url } = await scene();
    const receiver = await open(url(bob.token));
    client.send(textTo(groupId, "one"));
    const mirrored = await receiver.next();
    expect(Object.keys(mirrored)).toEqual(["type", "code", "data"]);
    expect(mirrored).toMatchObject({ type: "GroupMessage", code: 200, data: { groupId, userId: String(alice.id) } });
    expect(textOf(mirrored)).toBe("one");
    expect(await client.next()).toMatchObject({ type: "SendMessageResult", identifier: "one" });
    receiver.send(textTo(groupId, "two"));
    expect(textOf(await client.next())).toBe("two");
  });

  it("is mirrored to every connection of a member, and to nobody outside the room", async () => {
    const { client, groupId, bob, url, user } = await scene();
    const eve = await user("Eve");
    const [first, second, outsider] = [
      await open(url(bob.token)),
      await open(url(bob.token)),
      await open(url(eve.token)),
    ];
    client.send(textTo(groupId, "inside"));
    expect(textOf(await first.next())).toBe("inside");
    expect(textOf(await second.next())).toBe("inside");
    outsider.send("who is there");
    expect(await outsider.next()).toMatchObject({ type: "OperationFailed" });
  });

  it("is mirrored to the sender's other connections where they asked for an echo", async () => {
    const { client, groupId, alice, url } = await scene();
    const [echoing, quiet] = [await open(url(alice.token, "?echo=1")), await open(url(alice.token, "?echo=0"))];
    echoing.send(textTo(groupId, "from the echoing one"));
    expect(await echoing.next()).toMatchObject({ type: "SendMessageResult" });
    client.send(textTo(groupId, "from another"));
    expect(textOf(await echoing.next())).toBe("from another");
    expect(await client.next()).toMatchObject({ type: "SendMessageResult" });
    quiet.send(textTo(groupId, "from the quiet one"));
    expect(await quiet.next()).toMatchObject({ type: "SendMessageResult" });
  });

  it("may be a plain string, which is one text segment", async () => {
    const here = await scene();
    const receiver = await open(here.url(here.bob.token));
    expect(await ask(here, { message: "plain 文字" })).toMatchObject({ code: 200 });
    expect(await receiver.next()).toMatchObject({ data: { content: '[{"text":{"text":"plain 文字"}}]', type: 0 } });
  });

  it("may hold files that the sender uploaded, mentions and replies", async () => {
    const here = await scene();
    const receiver = await open(here.url(here.bob.token));
    await ask(here, { message: "first" });
    const first = await receiver.next();
    const { messageId } = messageOf(first);
    const file_id = await upload(here, here.alice, "content");
    const message = [
      { type: "reply", data: { messageId } },
      { type: "at", data: { ext: "all" } },
      { type: "text", data: { text: "look" } },
      { type: "file", data: { file_id, name: "notes.txt" } },
    ];
    expect(await ask(here, { message })).toMatchObject({ type: "SendMessageResult", code: 200 });
    const received = messageOf(await receiver.next());
    expect(received.type).toBe(3);
    expect(segmentsOf(received)).toEqual([
      { reply: { id: "", messageId: String(messageId) } },
      { at: { ext: "all", name: anyText } },
      { text: { text: "look" } },
      { file: { relativePath: anyText, isEXT: "0" } },
    ]);
  });

  it("comes back with its text unchanged, whatever characters it has", async () => {
    const here = await scene();
    const receiver = await open(here.url(here.bob.token));
    const odd = '  \u0001\u200e\u{1f600} é e\u0301 \\ " </script> \r\n\t  ';
    await ask(here, { message: text(odd) });
    expect(textOf(await receiver.next())).toBe(odd);
  });

  it("with a nonce is stored once, however often it is sent", async () => {
    const here = await scene();
    const receiver = await open(here.url(here.bob.token));
    const first = await ask(here, { nonce: "n1" });
    expect(await ask(here, { nonce: "n1" })).toEqual(first);
    expect(await ask(here, { nonce: "n1", message: "other" })).toMatchObject(
      failed("该 nonce 已用于其他内容,新内容请使用新的 nonce。"),
    );
    expect(await ask(here, { message: "last" })).toMatchObject({ code: 200 });
    expect(textOf(await receiver.next())).toBe("hello");
    expect(textOf(await receiver.next())).toBe("last");
  });
});

describe("an identifier", () => {
  const cases: readonly (readonly [string, string])[] = [
    ['"a"', '"a"'],
    ['""', '""'],
    ['"\\u0041\\n"', '"A\\n"'],
    ["7", "7"],
    ["0", "0"],
    ["-0", "-0"],
    ["1.0", "1.0"],
    ["1e400", "1e400"],
    ["12345678901234567890", "12345678901234567890"],
    ["null", "null"],
    ["true", "null"],
    ["[1]", "null"],
    ['{"identifier":5}', "null"],
  ];
  it.each(cases)("%s comes back as %s", async (given, echoed) => {
    const { client } = await scene();
    client.send(`{"inner":{"identifier":99},"identifier":${given},"command":"nothing"}`);
    expect(await client.nextText()).toContain(`"code":500,"identifier":${echoed},"msg":`);
  });

  it("that is missing comes back as null", async () => {
    const { client } = await scene();
    client.send('{"command":"nothing"}');
    expect(await client.next()).toMatchObject({ type: "OperationFailed", identifier: null });
  });
});

describe("a frame that is not a command", () => {
  const notJson = "该帧不是有效的 JSON。";
  const notObject = "该帧必须是包含 identifier 和 command 的 JSON 对象。";
  it.each([
    ["", notJson],
    ["{", notJson],
    ["hello", notJson],
    ["[]", notObject],
    ["null", notObject],
    ['"text"', notObject],
    ["12", notObject],
  ])("%j is told what is wrong", async (frame, msg) => {
    const { client } = await scene();
    client.send(frame);
    expect(await client.next()).toEqual(failed(msg, null));
  });

  it("is told so where it is binary, even if it holds JSON", async () => {
    const { client, groupId } = await scene();
    client.socket.send(Buffer.from(JSON.stringify(textTo(groupId, "binary"))));
    expect(await client.next()).toEqual(failed(notJson, null));
  });

  it.each([
    ["sendMessage", "sendMessage"],
    ["constructor", "constructor"],
    ["__proto__", "__proto__"],
    [undefined, ""],
    [["sendGroupMessage"], "[…]"],
    [{ toString: 1 }, "{…}"],
    [1, "1"],
    ["x".repeat(1000), `${"x".repeat(64)}…`],
  ])("with the command %j is told which commands there are", async (command, shown) => {
    const { client } = await scene();
    client.send({ identifier: 1, command });
    expect(await client.next()).toEqual(failed(`未知命令“${shown}”,可用命令:sendGroupMessage, typing。`, 1));
  });

  it("leaves the connection usable", async () => {
    const here = await scene();
    here.client.send("{");
    await here.client.next();
    expect(await ask(here, {})).toMatchObject({ code: 200 });
  });
});

describe("a message that cannot be sent", () => {
  const groupMissing = "缺少参数 groupId/groupType。";
  const malformed = "message 必须是文本或由 {type, data} 段组成的列表。";
  const refusals: readonly (readonly [string, object, unknown])[] = [
    ["without groupId", { groupId: undefined }, groupMissing],
    ["without groupType", { groupType: undefined }, groupMissing],
    ["with groupId null", { groupId: null }, groupMissing],
    ["without groupId and with a wrong message", { groupId: undefined, message: 7 }, groupMissing],
    ["with groupId 0", { groupId: 0 }, "groupId 必须是小于 2^53 的正整数,可为数字或十进制字符串"],
    ["with groupId 1.5", { groupId: 1.5 }, matching(/^groupId /)],
    ["with a groupType that does not exist", { groupType: 6 }, "groupType 必须是以下之一:0, 1, 2, 3, 4, 5"],
    ["with groupType as a text", { groupType: "1" }, matching(/^groupType /)],
    ["to an unknown group", { groupId: 999 }, "没有与该 groupId 和 groupType 对应的聊天室。"],
    ["with the wrong groupType", { groupType: 2 }, "该聊天室的类型不是 2。"],
    ["that is missing", { message: undefined }, malformed],
    ["that is null", { message: null }, malformed],
    ["that is a number", { message: 7 }, malformed],
    ["that is an object", { message: { type: "text" } }, malformed],
    ["that is an empty text", { message: "" }, "消息内容为空。"],
    ["without segments", { message: [] }, "消息内容为空。"],
    ["with an empty text only", { message: text("") }, "消息内容为空。"],
    ["with a segment that is not an object", { message: ["text"] }, malformed],
    ["with a segment without type", { message: [{ data: {} }] }, malformed],
    ["with a segment without data", { message: [{ type: "text" }] }, malformed],
    [
      "with an unknown segment",
      { message: [...text("a"), { type: "video", data: {} }] },
      "未知的消息段类型“video”,可用类型:text, image, file, at, reply。",
    ],
    [
      "with a segment of the type constructor",
      { message: [{ type: "constructor", data: {} }] },
      matching(/未知的消息段类型“constructor”/),
    ],
    ["with a text that is a number", { message: text(5) }, matching(/^message\.0\.data\.text /)],
    ["with NUL", { message: text("a\0b") }, "message.0.data.text 不能包含 NUL 字符"],
    ["with half a surrogate pair", { message: "a\ud83d" }, "message 不能包含单独的代理项"],
    [
      "with a file_id that is not an MD5",
      { message: [{ type: "file", data: { file_id: "x", name: "n" } }] },
      "message.0.data.file_id 必须是 MD5:32 位十六进制数字",
    ],
    [
      "with an unknown file",
      { message: [{ type: "image", data: { file_id: "0".repeat(32) } }] },
      `您没有上传过文件 ${"0".repeat(32)},请先上传。`,
    ],
    [
      "in reply to an unknown message",
      { message: [{ type: "reply", data: { messageId: 77 } }, ...text("a")] },
      "该聊天室中没有可回复的消息 77。",
    ],
    ["of more than 100 segments", { message: Array.from({ length: 101 }, () => text("a")[0]) }, "消息超过 100 个段。"],
    ["of more than 10,000 characters", { message: "字".repeat(10_001) }, "文本超过 10000 个字符。"],
    [
      "of more than 10,000 characters in all",
      { message: [...text("x".repeat(6000)), ...text("y".repeat(4001))] },
      "文本超过 10000 个字符。",
    ],
    ["with an empty nonce", { nonce: "" }, "nonce 不能为空"],
    [
      "with another wrong field and a wrong message",
      { groupId: -1, message: 7 },
      matching(/^groupId [^;]*$|^groupId .*; message /),
    ],
    [
      "with very many wrong segments",
      { message: Array.from({ length: 100 }, () => text(5)[0]) },
      matching(/^message\.0\.data\.text [^;]*; message\.1\.data\.text [^;]*; message\.2\.data\.text [^;]*$/),
    ],
    [
      "with many wrong fields",
      { groupId: -1, groupType: 9, nonce: 5, message: text(5) },
      matching(/^groupId .*; groupType /),
    ],
  ];
  it.each(refusals)("%s is told why", async (_case, fields, msg) => {
    const here = await scene();
    expect(await ask(here, fields)).toEqual(failed(msg));
  });

  it.each(["1.0", "1e0", "10e-1"])("to the group %s is told that this is not an id", async (written) => {
    const { client, groupId } = await scene();
    expect(groupId).toBe(1);
    client.send(`{"identifier":"q","command":"sendGroupMessage","groupId":${written},"groupType":1,"message":"hi"}`);
    expect(await client.next()).toEqual(failed(matching(/^groupId /)));
  });

  it.each([
    ["10,000 characters", { message: "\u{1f600}".repeat(10_000) }],
    ["100 segments", { message: Array.from({ length: 100 }, () => text("a")[0]) }],
    ["a groupId in decimal digits", {}],
  ])("is another one than that with %s", async (name, fields) => {
    const here = await scene();
    const groupId = name.includes("decimal") ? String(here.groupId) : here.groupId;
    expect(await ask(here, { ...fields, groupId })).toMatchObject({ type: "SendMessageResult", code: 200 });
  });

  it("with a file of somebody else's is told that the sender uploaded no such file", async () => {
    const here = await scene();
    const file_id = await upload(here, here.bob, "bob's");
    expect(await ask(here, { message: [{ type: "file", data: { file_id, name: "b" } }] })).toEqual(
      failed(`您没有上传过文件 ${file_id},请先上传。`),
    );
  });

  it("by somebody outside the room is answered as if there were no such room", async () => {
    const here = await scene();
    const eve = await here.user("Eve");
    const client = await open(here.url(eve.token));
    expect(await ask({ ...here, client }, {})).toEqual(failed("没有与该 groupId 和 groupType 对应的聊天室。"));
  });

  it("by a user that does not exist is told so, before the room is looked at", async () => {
    const ghosts: Plugin = {
      name: "ghosts",
      tokens: {
        authenticate: () =>
          Promise.resolve({ kind: "token", userId: 404, scopes: ["chat"], tokenId: null, expiresAt: null }),
      },
    };
    const running = await startTelex({ plugins: [ghosts] });
    const client = await open(running.url("anything"));
    client.send({ ...textTo(5, "boo"), identifier: "q" });
    expect(await client.next()).toEqual(failed("用户不存在。"));
  });

  it("is told in English where the instance speaks English", async () => {
    const here = await scene({ locale: "en" });
    expect(await ask(here, { groupId: undefined })).toEqual(failed("Missing parameter groupId/groupType."));
  });

  it("for a fault of Telex is told an incident, and nothing of what happened", async () => {
    const here = await scene({
      wrap: (storage) => ({
        ...storage,
        messages: { ...storage.messages, append: () => Promise.reject(new Error("secret table is gone")) },
      }),
    });
    const answer = await ask(here, {});
    expect(answer).toEqual(failed(matching(/^服务器内部出错,事件编号 [0-9a-f]{16}。$/)));
    const incident = /[0-9a-f]{16}/.exec(answer.msg ?? "")?.[0] ?? "none";
    expect(
      here.log.lines.filter((line) => line.includes(incident) && line.includes("secret table is gone")),
    ).toHaveLength(1);
  });
});

describe("a message to a room of the external network", () => {
  it.each([0, 3, 4, 5])(
    "of type %i says with code 300 that the bot is offline, and stores nothing",
    async (groupType) => {
      const here = await scene({ plugins: [bot({ outcome: "offline" })], groupType });
      here.client.send({ ...textTo(here.groupId, "x", "q"), groupType });
      expect(await here.client.nextText()).toBe(
        '{"type":"SendMessageResult","code":300,"identifier":"q","msg":"机器人不在线,请稍后再试。"}',
      );
      const type = ([0, 1, 2, 3, 4, 5] as const).find((one) => one === groupType) ?? 0;
      const page = await here.telex.messages.history(holderOf(here.alice), { groupId: here.groupId, groupType: type });
      expect(page.groupMessages).toEqual([]);
    },
  );

  it.each<[GatewayOutcome, string]>([
    [{ outcome: "unknown" }, "无法确定消息是否已送达,系统不会重发。"],
    [{ outcome: "refused", detail: "muted" }, "机器人拒绝了该消息:muted"],
    [{ outcome: "unsupported" }, "该机器人不支持消息中的某个部分。"],
  ])("with the outcome %j fails", async (outcome, msg) => {
    const here = await scene({ plugins: [bot(outcome)], groupType: 0 });
    expect(await ask(here, { groupType: 0 })).toEqual(failed(msg));
  });

  it("is stored and mirrored when the bot has taken it", async () => {
    const taken = bot({ outcome: "delivered", messageId: "m-1" });
    const here = await scene({ plugins: [taken], groupType: 4 });
    const receiver = await open(here.url(here.bob.token));
    expect(await ask(here, { groupType: 4 })).toMatchObject({ code: 200, msg: "success" });
    expect(textOf(await receiver.next())).toBe("hello");
  });
});

it("stops mirroring a room to somebody who has left it", async () => {
  const here = await scene();
  const receiver = await open(here.url(here.bob.token));
  await ask(here, { message: "while a member" });
  expect(textOf(await receiver.next())).toBe("while a member");
  await here.telex.operator.groups.amendMembers(operator, { groupId: here.groupId, remove: [here.bob.id] });
  await ask(here, { message: "after" });
  expect(await ask({ ...here, client: receiver }, {})).toEqual(failed("没有与该 groupId 和 groupType 对应的聊天室。"));
});
