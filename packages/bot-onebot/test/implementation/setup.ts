import { once } from "node:events";
import { operator, type Plugin, type SegmentInput } from "@telex/core";
import type { Person } from "@telex/conformance/testing";
import { onTestFinished, vi } from "vitest";
import { type RawData, WebSocket } from "ws";
import { z } from "zod";
import { createOneBotImplementation, type OneBotImplementationOptions } from "../../src/implementation/index.ts";
import { serveScene } from "../setup.ts";

const frameSchema = z.record(z.string(), z.unknown());
export type Frame = z.output<typeof frameSchema>;

/** The id in the answer to a message that was sent. */
export const sentOf = ({ data }: Frame) => z.object({ message_id: z.number() }).parse(data);

const textOfData = (data: RawData): string => (Buffer.isBuffer(data) ? data.toString() : "");

/** A connected framework: the frames it received, and its actions. */
export function framework(socket: WebSocket) {
  const frames: Frame[] = [];
  socket.on("message", (data) => frames.push(frameSchema.parse(JSON.parse(textOfData(data)))));
  let count = 0;
  const answer = async (echo: unknown): Promise<Frame> =>
    vi.waitUntil(() => frames.find((frame) => frame["echo"] === echo), { timeout: 20_000, interval: 5 });
  return {
    socket,
    frames,
    /** Sends a text that may be anything. */
    raw: (text: string | Buffer) => socket.send(text),
    ask: async (action: string, params: object = {}): Promise<Frame> => {
      const echo = `e${(count += 1)}`;
      socket.send(JSON.stringify({ action, params, echo }));
      return answer(echo);
    },
    answer,
    /** The first event that has these fields. */
    told: async (fields: Frame): Promise<Frame> =>
      vi.waitUntil(
        () => frames.find((frame) => Object.entries(fields).every(([name, value]) => frame[name] === value)),
        { timeout: 20_000, interval: 5 },
      ),
  };
}

export type Framework = ReturnType<typeof framework>;

/** A server with Alice, Bob and a bot in a group, and the bot with Alice in a private room. */
export async function start(
  options: Partial<OneBotImplementationOptions> = {},
  plugins: readonly Plugin[] = [],
  instance: Parameters<typeof serveScene>[1] = {},
) {
  let url = "";
  const implementation = createOneBotImplementation({ baseUrl: () => url, ...options });
  const scene = await serveScene([implementation], { ...instance, plugins: [implementation.plugin, ...plugins] });
  const { telex } = scene;
  ({ url } = scene);
  const [alice, bob, bot] = [await scene.person("Alice"), await scene.person("Bob"), await scene.person("Bot")];
  await telex.operator.users.amend(operator, { id: bot.id, oneBot: {} });
  const groupId = await scene.room([alice, bob, bot], { groupType: 1 });
  const privateId = await scene.room([alice, bot], { groupType: 2 });
  const http = `${url}/external/api/v1/onebot`;
  const at = http.replace("http", "ws");
  return {
    ...scene,
    implementation,
    http,
    at,
    alice,
    bob,
    bot,
    groupId,
    privateId,
    connect: async (version: 11 | 12 = 11, { path = "", token = bot.token } = {}): Promise<Framework> => {
      const socket = new WebSocket(`${at}/v${version}${path}`, { headers: { authorization: `Bearer ${token}` } });
      onTestFinished(() => socket.terminate());
      const connected = framework(socket);
      await once(socket, "open");
      return connected;
    },
    say: async (person: Person, message: string | SegmentInput[], where = groupId, groupType: 1 | 2 = 1) =>
      telex.messages.send(await scene.caller(person), { groupId: where, groupType, message }),
    upload: async (person: Person, name: string, bytes: Uint8Array): Promise<string> => {
      const stream = (async function* () {
        yield bytes;
      })();
      const caller = await scene.caller(person);
      return (await telex.bucket.upload(caller, { file: { name, mime: "", bytes: stream } })).file_id;
    },
    /** The newest messages of a room as stored. */
    stored: async (where = groupId, groupType: 1 | 2 = 1) => {
      const page = await telex.messages.history(await scene.caller(alice), { groupId: where, groupType });
      return page.groupMessages.map(({ userId, content }) => ({ userId, content: JSON.parse(content) as unknown }));
    },
  };
}
