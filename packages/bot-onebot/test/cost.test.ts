import { createHmac } from "node:crypto";
import { costBudget, costShare, cpuTimeOf, expensiveInputs } from "@telex/conformance";
import { teleprinterContract } from "@telex/core/contract";
import { parseJson } from "@telex/core/transport";
import { expect, it } from "vitest";
import { z } from "zod";
import { tongues } from "../src/implementation/tongues.ts";
import { webhookPaths } from "../src/connect/webhook-proof.ts";
import { readCqCodes } from "../src/wire/cq.ts";
import { readAnswer, readJson } from "../src/wire/frames.ts";
import { dialect11 } from "../src/wire/v11.ts";
import { events11 } from "../src/wire/v11-events.ts";
import { dialect12 } from "../src/wire/v12.ts";
import { events12 } from "../src/wire/v12-events.ts";
import { account, start as startBots } from "./setup.ts";
import { start } from "./implementation/setup.ts";

const most = 32 * 1024;
/** Below this size the constant share of a frame is larger than that of its bytes. */
const least = 4 * 1024;

const plain = '{"deviceId":"kitchen-printer","content":"The kettle is on."}';

/** Microseconds of CPU for each byte of a plain request that is read and checked. */
async function plainTime(): Promise<number> {
  const calls = 2000;
  const time = await cpuTimeOf(() => {
    for (let call = 0; call < calls; call += 1) teleprinterContract.send.input.parse(parseJson(plain));
  }, 20);
  return time / calls / plain.length;
}

/** The most expensive values of each of these fields, and of an unknown one, as JSON texts of objects. */
const inputsOf = (input: z.ZodType): readonly { readonly name: string; readonly text: string }[] =>
  [...expensiveInputs({ ...teleprinterContract.send, input }, most)].filter(({ text }) => text.length >= least);

const anyOf = (fields: readonly string[]): z.ZodType =>
  z.object(Object.fromEntries(fields.map((field) => [field, z.unknown()])));

/** Texts of messages that are slow to read as CQ codes, or many segments. */
const slowTexts = ["[CQ:at,qq=", "[CQ:a,b=c]", "[CQ:a", ",b=c", "&amp;#91;", "[", "]"].map((part) =>
  JSON.stringify(part.repeat(most / part.length)),
);

/** Runs what is measured for every text, and names those that take too long. */
async function tooExpensive(
  texts: readonly { readonly name: string; readonly text: string }[],
  run: (text: string) => unknown,
  bare: string,
): Promise<string[]> {
  const perByte = await plainTime();
  await run(bare);
  const bareTime = await cpuTimeOf(() => run(bare), 10);
  const found: string[] = [];
  for (const { name, text } of texts) {
    const share = await costShare(() => run(text), bareTime + costBudget(text.length, perByte));
    if (share > 1) found.push(`${name}: ${share.toFixed(1)} times what is allowed`);
  }
  return found;
}

/** The fields that each action reads. One without a row here fails. */
const fieldsOf: Readonly<Record<11 | 12, ReadonlyMap<string, readonly string[]>>> = {
  11: new Map([
    ["send_group_msg", ["group_id", "message", "auto_escape"]],
    ["send_private_msg", ["user_id", "message"]],
    ["send_msg", ["message_type", "message"]],
    ["delete_msg", ["message_id"]],
    ["get_msg", ["message_id"]],
    ["get_group_msg_history", ["group_id", "count"]],
    ["get_friend_msg_history", ["user_id", "message_seq"]],
    [".handle_quick_operation", ["context", "operation"]],
    ["get_login_info", []],
    ["get_stranger_info", ["user_id"]],
    ["get_friend_list", []],
    ["get_group_list", []],
    ["get_group_info", ["group_id"]],
    ["get_group_member_list", ["group_id"]],
    ["get_group_member_info", ["user_id"]],
    ["get_image", ["file"]],
    ["get_file", ["file_id"]],
    ["get_group_file_url", ["file_id"]],
    ["download_file", ["url", "base64", "name"]],
    ["upload_group_file", ["file", "name"]],
    ["upload_private_file", ["file", "name"]],
    ["can_send_image", []],
    ["can_send_record", []],
    ["get_status", []],
    ["get_version_info", []],
  ]),
  12: new Map([
    ["send_message", ["detail_type", "group_id", "message"]],
    ["delete_message", ["message_id"]],
    ["get_self_info", []],
    ["get_user_info", ["user_id"]],
    ["get_friend_list", []],
    ["get_group_list", []],
    ["get_group_info", ["group_id"]],
    ["get_group_member_list", ["group_id"]],
    ["get_group_member_info", ["user_id"]],
    ["upload_file", ["data", "url"]],
    ["upload_file_fragmented", ["stage", "data"]],
    ["get_file", ["file_id"]],
    ["get_file_fragmented", ["file_id"]],
    ["get_status", []],
    ["get_version", []],
    ["get_supported_actions", []],
  ]),
};

it.each([11, 12] as const)("every action of OneBot %i has a case here", (version) => {
  expect([...fieldsOf[version].keys()].toSorted()).toEqual([...tongues[version].actions.keys()].toSorted());
});

it.each([11, 12] as const)(
  "a frame of OneBot %i from a framework costs no more than 20 times as much as plain ones, byte for byte",
  async (version) => {
    const { connect, groupId } = await start();
    const bot = await connect(version);
    let count = 0;
    const run = async (frame: string): Promise<void> => {
      const echo = `cost-${(count += 1)}`;
      bot.frames.length = 0;
      bot.raw(`{"echo":"${echo}",${frame.slice(1)}`);
      await bot.answer(echo);
    };
    const to = version === 11 ? `"group_id":${groupId}` : `"detail_type":"group","group_id":"${groupId}"`;
    const send = version === 11 ? "send_group_msg" : "send_message";
    const slow = slowTexts.flatMap((text) => [
      { name: "a message", text: `{"action":"${send}","params":{${to},"message":${text}}}` },
      {
        name: "a reply",
        text: `{"action":".handle_quick_operation","params":{"context":{${to}},"operation":{"reply":${text}}}}`,
      },
    ]);
    const texts = [...fieldsOf[version]].flatMap(([action, fields]) =>
      inputsOf(anyOf(fields)).map(({ name, text }) => ({
        name: `${action} ${name}`,
        text: `{"action":"${action}","params":${text}}`,
      })),
    );
    expect(await tooExpensive([...texts, ...slow], run, '{"action":"get_status","params":{}}')).toEqual([]);
  },
  300_000,
);

const dialects = { 11: dialect11, 12: dialect12 } as const;
const openNothing = (): undefined => undefined;

it.each([
  [11, events11],
  [12, events12],
] as const)(
  "a frame of OneBot %i from a bot costs no more than 20 times as much as plain ones",
  async (version, events) => {
    const dialect = dialects[version];
    const run = (text: string): void => {
      const frame = readJson(text);
      readAnswer(frame);
      dialect.identityOf(frame);
      dialect.readEvent(frame, "9000", openNothing);
      dialect.readHistory(frame, { room: { kind: "group", ext: "500" }, ext: "9000" }, openNothing);
      dialect.readMembers(frame);
    };
    const ids = '"message_id":1,"self_id":9000,"user_id":1001,"group_id":500,"time":1,';
    const kinds = {
      11: '"post_type":"message","message_type":"group",',
      12: '"type":"message","detail_type":"group",',
    } as const;
    const texts = Object.entries<z.ZodType>(events).flatMap(([kind, schema]) =>
      inputsOf(schema).map(({ name, text }) => ({ name: `${kind} ${name}`, text })),
    );
    const messages = inputsOf(anyOf(["message", "sender"])).map(({ name, text }) => ({
      name,
      text: `{${kinds[version]}${ids}${text.slice(1)}`,
    }));
    const slow = slowTexts.map((text) => ({ name: "a message", text: `{${kinds[version]}${ids}"message":${text}}` }));
    const answers = inputsOf(anyOf(["data", "message"])).map(({ name, text }) => ({
      name: `an answer ${name}`,
      text: `{"status":"failed","retcode":1,"echo":"e",${text.slice(1)}`,
    }));
    const lists = inputsOf(anyOf(["messages"]))
      .flatMap(({ name, text }) => [
        { name: `a history ${name}`, text },
        { name: `members ${name}`, text: text.slice('{"messages":'.length, -1) },
      ])
      .filter(({ text }) => text.startsWith("[") || text.startsWith("{"));
    expect(await tooExpensive([...texts, ...messages, ...slow, ...answers, ...lists], run, '{"x":0}')).toEqual([]);
  },
  300_000,
);

it.each(Object.entries(webhookPaths))(
  "an event that is posted to OneBot %s costs no more than 20 times as much as plain ones, also with a wrong proof",
  async (_version, path) => {
    const { url } = await startBots({ accounts: [{ ...account, connect: "http://127.0.0.1:9" }] });
    const post = async (body: string, secret: string): Promise<void> => {
      const signature = createHmac("sha1", secret).update(body).digest("hex");
      const headers = { "x-signature": `sha1=${signature}`, "content-type": "application/json" };
      const response = await fetch(`${url}${path}bot-1`, { method: "POST", headers, body });
      expect(response.status).toBeLessThan(500);
      await response.arrayBuffer();
    };
    const texts = [
      ...inputsOf(anyOf(["message"])),
      ...slowTexts.map((text) => ({ name: "a message", text: `{"message":${text}}` })),
    ];
    expect(await tooExpensive(texts, (text) => post(text, "secret"), '{"x":0}')).toEqual([]);
    expect(await tooExpensive(texts, (text) => post(text, "wrong"), '{"x":0}')).toEqual([]);
  },
  300_000,
);

it.each([11, 12] as const)(
  "a frame of OneBot %i of 16 MiB costs no more than twice a picture of its size, whatever it holds",
  async (version) => {
    const { connect } = await start();
    const bot = await connect(version);
    let count = 0;
    const run = async (value: string): Promise<void> => {
      const echo = `cost-${(count += 1)}`;
      bot.frames.length = 0;
      bot.raw(`{"action":"get_status","params":{"a":${value}},"echo":"${echo}"}`);
      await bot.answer(echo);
    };
    const size = 15.9 * 2 ** 20;
    const picture = `"${"aZ09+/".repeat(size / 6)}"`;
    await run(picture);
    const allowed = 2 * (await cpuTimeOf(() => run(picture), 5));
    const found: string[] = [];
    for (const part of ["{}", '{"31":0}', "[0]", '""', `"${"a".repeat(1000)} "`]) {
      const text = `[${`${part},`.repeat(size / (part.length + 1))}0]`;
      if ((await costShare(() => run(text), allowed)) > 1) found.push(part);
    }
    expect(found).toEqual([]);
  },
  300_000,
);

it("a version of a program that is a list of any depth counts as none", () => {
  const deep: unknown = JSON.parse(`${"[".repeat(200_000)}${"]".repeat(200_000)}`);
  expect(dialect11.readAbout({ app_name: "a bot", app_version: deep })).toBe("a bot");
  expect(dialect12.readAbout({ impl: "a bot", version: deep })).toBe("a bot");
  expect(dialect12.readAbout({ impl: "a bot", version: 4 })).toBe("a bot 4");
});

it("reads a text with many beginnings of codes within the budget of its bytes", async () => {
  const text = "[CQ:at,qq=".repeat(12_000);
  expect(await costShare(() => readCqCodes(text), costBudget(text.length, await plainTime()))).toBeLessThan(1);
});
