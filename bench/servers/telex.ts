/**
 * Telex as in `telex serve`, on a SQLite file, with users, tokens and a room for a workload:
 * `node bench/servers/telex.ts <folder> [upstream URL] [--members N] [--messages N] [--devices N] [--unindexed] [--mqtt] [--bot]`. The upstream answers questions of
 * the AI chat, `--unindexed` does not index messages for the search, and `--bot` adds a room of a network that accepts every message immediately. Prints one line of JSON when it is ready, and collects garbage for each line on
 * stdin.
 */
import { parseArgs } from "node:util";
import { createOpenAiModels } from "@telex/ai-openai";
import { createFsBlobs } from "@telex/blobs/fs";
import { createMemoryNetwork } from "@telex/conformance/testing";
import { createTelex, operator } from "@telex/core";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createHttp, serveHttp } from "@telex/http";
import { createMqtt } from "@telex/mqtt";
import { createSqliteStorage } from "@telex/storage-sqlite";
import { createWs } from "@telex/ws";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    members: { type: "string", default: "2" },
    messages: { type: "string", default: "0" },
    devices: { type: "string", default: "0" },
    unindexed: { type: "boolean" },
    mqtt: { type: "boolean" },
    bot: { type: "boolean" },
  },
});
const [folder = ".", upstream] = positionals;
const storage = await createSqliteStorage({ file: `${folder}/telex.db`, exclusive: true });
if (values.unindexed === true) storage.messages.listUnindexed = () => Promise.resolve([]);
const blobs = createFsBlobs({ directory: `${folder}/files` });
const bench = { name: "bench", contextTokens: 8000, maxOutputTokens: 4000 };
const models = upstream === undefined ? {} : { models: createOpenAiModels({ baseUrl: upstream, models: [bench] }) };
const gateways = values.bot === true ? [createMemoryNetwork().gateway] : [];
const limits = { devicesPerUser: Math.max(1000, Number(values.devices)) };
const telex = await createTelex({ storage, blobs, images: createSharpEngine(), gateways, limits, ...models });

const users = await Promise.all(
  Array.from({ length: Number(values.members) }, (_, index) =>
    telex.operator.users.add(operator, { nickname: `用户 ${index}` }),
  ),
);
const issued = await Promise.all(
  users.map(({ id }) => telex.operator.tokens.issue(operator, { userId: id, scopes: ["chat"] })),
);
const quota = { unit: "count", max: 1_000_000_000, period: "monthly" } as const;
for (const { id } of users.slice(0, 1)) await telex.operator.quota.assign(operator, { userId: id, ...quota });
const members = users.map(({ id }) => id);
const { groupId } = await telex.operator.groups.add(operator, { groupType: 1, name: "房间", members });
const bot = { groupType: 0, name: "房间", ext: "500", members } as const;
const botGroupId = values.bot === true ? (await telex.operator.groups.add(operator, bot)).groupId : 0;
const text = "今天天气很好,我们一起去公园散步吧 (a line of chat)";
const content = JSON.stringify([{ text: { text } }]);
for (let left = Number(values.messages); left > 0; left -= 2000) {
  await Promise.all(
    Array.from({ length: Math.min(2000, left) }, () =>
      storage.messages.append({
        message: {
          groupId,
          userId: "1",
          external: false,
          type: 0,
          content,
          pinyin: content,
          nickname: "用户 0",
          nicknamePinyin: "yong4 hu4 0",
          createTime: Date.now(),
          receiveTime: Date.now(),
          botMessageId: null,
          notice: null,
        },
        nonce: null,
        files: [],
        attachments: [],
        network: null,
        sent: null,
      }),
    ),
  );
}
const owner = await telex.authenticate(issued[0]?.token ?? "");
await Promise.all(
  Array.from({ length: Number(values.devices) }, (_, index) =>
    telex.teleprinter.register(owner, { deviceId: `d${index}`, name: `Device ${index}` }),
  ),
);
const ws = createWs(telex);
const serving = await serveHttp(createHttp(telex), {
  port: 0,
  upgrade: (request, socket, head) => void ws.handleUpgrade(request, socket, head),
});
const port = Number(new URL(serving.url).port);
const mqttPort = values.mqtt === true ? await createMqtt(telex).listen({ host: "127.0.0.1", port: 0 }) : 0;
process.stdout.write(
  `${JSON.stringify({ port, mqttPort, groupId, botGroupId, tokens: issued.map(({ token }) => token) })}\n`,
);
process.stdin.on("data", () => {
  globalThis.gc?.();
});
