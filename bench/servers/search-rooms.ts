/**
 * Searches over many rooms in the instance of `telex serve`, in this process: `node bench/servers/search-rooms.ts <folder> <rooms>
 * <messages of each>`. Prints one line of JSON: for each query, the number of requests until 20 messages or the end, and the CPU time of the
 * most expensive request in milliseconds and in pages of history. It measures before any message is indexed, as after an import, and
 * afterwards. Also prints the figures of all queries in turns.
 */
import { createFsBlobs } from "@telex/blobs/fs";
import { type Caller, createTelex, operator, type Telex } from "@telex/core";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createSqliteStorage } from "@telex/storage-sqlite";
import { pinyin } from "pinyin-pro";
import { chatText, queries } from "../lib/chat-texts.ts";
import { costOf } from "../lib/phases.ts";
import { findPages, measureQueries } from "../lib/query-load.ts";
import { createSelf } from "../lib/self.ts";

const [folder = ".", rooms = "200", each = "50"] = process.argv.slice(2);
const storage = await createSqliteStorage({ file: `${folder}/telex.db` });
const written = (text: string): string => JSON.stringify([{ text: { text } }]);
const toPinyin = (text: string): string => pinyin(text, { toneType: "num", nonZh: "consecutive" });

const message = (groupId: number, number: number) => ({
  groupId,
  userId: "1",
  external: false,
  type: 0 as const,
  content: written(chatText(number)),
  pinyin: written(toPinyin(chatText(number))),
  nickname: "用户 0",
  nicknamePinyin: "yong4 hu4 0",
  createTime: Date.now(),
  receiveTime: Date.now(),
  botMessageId: null,
  notice: null,
});

const none = { nonce: null, files: [], attachments: [], network: null, sent: null };

/** Stores messages in mixed order over all rooms, as after an import. */
async function load(): Promise<void> {
  for (let turn = 0; turn < Number(each); turn += 1) {
    const groups = Array.from({ length: Number(rooms) }, (_, room) => room + 1);
    await Promise.all(
      groups.map((groupId) =>
        storage.messages.append({ message: message(groupId, turn * Number(rooms) + groupId), ...none }),
      ),
    );
  }
}

/** CPU time so far, in milliseconds. */
const cpu = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** CPU milliseconds of one call, the minimum of several. */
async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 2; round += 1) {
    const start = cpu();
    for (let call = 0; call < 2; call += 1) await run();
    times.push((cpu() - start) / 2);
  }
  return Math.min(...times);
}

const figures: Record<string, number> = {};

/** Pages of all queries in turns. Without the index, a page costs up to a tenth of a second. */
const pages = { cold: 40, warmUp: 120, warm: 200 };

const searchWith = (telex: Telex, caller: Caller) => (q: string) => telex.messages.search(caller, { q, pageSize: 20 });

async function measure(state: string, telex: Telex, caller: Caller): Promise<void> {
  const history = () => telex.messages.history(caller, { groupId: 1, groupType: 1, pageSize: 20 });
  await timeOf(history);
  const page = await timeOf(history);
  figures[`${state}, history page CPU ms`] = page;
  for (const [name, q] of Object.entries(queries)) {
    const search = (cursor?: string) => telex.messages.search(caller, { q, pageSize: 20, ...(cursor && { cursor }) });
    let [found, requests, most] = [0, 0, 0];
    for (let cursor: string | undefined; found < 20;) {
      const from = cursor;
      most = Math.max(most, await timeOf(() => search(from)));
      const { list, nextCursor } = await search(cursor);
      requests += 1;
      found += list.length;
      if (nextCursor === null) break;
      cursor = nextCursor;
    }
    figures[`${state}, ${name}: requests`] = requests;
    figures[`${state}, ${name}: page CPU ms`] = most;
    figures[`${state}, ${name}: x history`] = most / page;
  }
}

async function untilIndexed(): Promise<void> {
  while ((await listUnindexed()).length > 0) await new Promise((resolve) => setTimeout(resolve, 5));
}

const listUnindexed = storage.messages.listUnindexed.bind(storage.messages);

async function begin(isIndexing: boolean) {
  storage.messages.listUnindexed = isIndexing ? listUnindexed : () => Promise.resolve([]);
  const options = { blobs: createFsBlobs({ directory: `${folder}/files` }), images: createSharpEngine() };
  return await createTelex({ storage: { ...storage, close: () => Promise.resolve() }, ...options });
}

await load();
const loaded = await begin(false);
const { id } = await loaded.operator.users.add(operator, { nickname: "用户 0" });
for (let room = 1; room <= Number(rooms); room += 1) {
  await loaded.operator.groups.add(operator, { groupType: 1, name: `房间 ${room}`, members: [id] });
}
const { token } = await loaded.operator.tokens.issue(operator, { userId: id, scopes: ["chat"] });
const caller = await loaded.authenticate(token);
for (const [name, value] of Object.entries(await measureQueries(searchWith(loaded, caller), pages)))
  figures[`loaded, ${name}`] = value;
await measure("loaded", loaded, caller);
await loaded.close();
const indexed = await begin(true);
await untilIndexed();
const self = createSelf();
const warm = await costOf(self, () => findPages(searchWith(indexed, caller), pages.warm));
figures["indexed, CPU µs/page"] = warm.cpu;
figures["indexed, p99 ms"] = warm.done.p99;
await measure("indexed", indexed, caller);
figures["peak MiB"] = (await self.memory()).peak;
process.stdout.write(`${JSON.stringify(figures)}\n`);
process.exit(0);
