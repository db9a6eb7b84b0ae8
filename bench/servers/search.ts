/**
 * Searches in a room of the instance of `telex serve`, in this process: `node bench/servers/search.ts <folder> <messages>`. Prints one
 * line of JSON: for each query, the CPU time of a page of 20 in milliseconds and in pages of history, and the number of pages until 20
 * messages or the end; also the longest tick in CPU time, and the figures of all queries in turns.
 */
import { DatabaseSync } from "node:sqlite";
import { createFsBlobs } from "@telex/blobs/fs";
import { createTelex, operator } from "@telex/core";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createSqliteStorage } from "@telex/storage-sqlite";
import { pinyin } from "pinyin-pro";
import { chatText, queries } from "../lib/chat-texts.ts";
import { measureQueries, roomPages } from "../lib/query-load.ts";

const [folder = ".", count = "1000"] = process.argv.slice(2);
const size = Number(count);
const file = `${folder}/telex.db`;
/** Messages that are stored one by one, in whole blocks of the index. A larger room contains copies of them. */
const original = 24 * 4096;
const copies = Math.floor(size / original);
const isCopied = size > 2 * original;
let storage = await createSqliteStorage({ file });
const written = (text: string): string => JSON.stringify([{ text: { text } }]);
const toPinyin = (text: string): string => pinyin(text, { toneType: "num", nonZh: "consecutive" });
const stored = Array.from({ length: 4000 }, (_, number) => {
  const text = chatText(number);
  return { content: written(text), pinyin: written(toPinyin(text)) };
});
const message = (number: number) => {
  const text = chatText(number);
  const known = text.includes("琥珀")
    ? { content: written(text), pinyin: written(toPinyin(text)) }
    : stored[number % 4000];
  return {
    groupId: 1,
    userId: "1",
    external: false,
    type: 0 as const,
    content: known?.content ?? "",
    pinyin: known?.pinyin ?? "",
    nickname: "用户 0",
    nicknamePinyin: "yong4 hu4 0",
    createTime: Date.now(),
    receiveTime: Date.now(),
    botMessageId: null,
    notice: null,
  };
};

/** CPU time so far, in milliseconds. */
const cpu = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const stores = isCopied ? original : size;
for (let from = 0; from < stores; from += 2000) {
  const numbers = Array.from({ length: Math.min(2000, stores - from) }, (_, at) => from + at);
  await Promise.all(
    numbers.map((number) =>
      storage.messages.append({
        message: message(number),
        nonce: null,
        files: [],
        attachments: [],
        network: null,
        sent: null,
      }),
    ),
  );
}

/** Appends a copy of the room with its index. A search reads the same as if each message had been stored. */
function copyRoom(): void {
  const database = new DatabaseSync(file);
  const columns = database.prepare("SELECT name FROM pragma_table_info('messages')").all();
  const names = columns.map(({ name }) => String(name));
  const values = names.map((name) => (name === "seq" ? "seq + ?" : name === "id" ? "id + ?" : name));
  const bounds = database.prepare("SELECT min(id) AS least, max(id) AS greatest FROM messages").get();
  const span = Number(bounds?.["greatest"]) - Number(bounds?.["least"]) + 1;
  const insert = database.prepare(
    `INSERT INTO messages (${names.join()}) SELECT ${values.join()} FROM messages WHERE seq <= ${original}`,
  );
  const blocks = original / 4096;
  database.exec("BEGIN");
  for (let copy = 1; copy < copies; copy += 1) {
    insert.run(copy * original, copy * span);
    const moved = `group_id, block + ${copy * blocks}`;
    database.exec(`INSERT INTO message_slices (group_id, block, bit, bits)
      SELECT ${moved}, bit, bits FROM message_slices WHERE block < ${blocks};
      INSERT INTO message_blocks (group_id, block, oldest, newest)
      SELECT ${moved}, oldest, newest FROM message_blocks WHERE block < ${blocks}`);
  }
  const all = copies * original;
  database.exec(`UPDATE search_rooms SET ready = ${all}, indexed = ${all}, blocks = ${all / 4096}; COMMIT`);
  database.close();
}

async function untilIndexed(): Promise<void> {
  while ((await storage.messages.listUnindexed()).length > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  // Waits until the background writes no more blocks.
  for (let [last, now] = [0, cpu()]; now - last > 20; [last, now] = [now, cpu()]) {
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

const options = { blobs: createFsBlobs({ directory: `${folder}/files` }), images: createSharpEngine() };
let telex = await createTelex({ storage, ...options });
const { id } = await telex.operator.users.add(operator, { nickname: "用户 0" });
await telex.operator.groups.add(operator, { groupType: 1, name: "房间", members: [id] });
const { token } = await telex.operator.tokens.issue(operator, { userId: id, scopes: ["chat"] });
await untilIndexed();
if (isCopied) {
  await telex.close();
  copyRoom();
  storage = await createSqliteStorage({ file });
  telex = await createTelex({ storage, ...options });
}
const caller = await telex.authenticate(token);

/** CPU milliseconds of one call, the minimum of several. */
async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const start = cpu();
    for (let call = 0; call < 20; call += 1) await run();
    times.push((cpu() - start) / 20);
  }
  return Math.min(...times);
}

/** The longest tick of a call, in CPU time of its thread. */
async function longestTick(run: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isOver = false;
  let last = process.threadCpuUsage();
  const look = (): void => {
    const { user, system } = process.threadCpuUsage(last);
    last = process.threadCpuUsage();
    longest = Math.max(longest, (user + system) / 1000);
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await run();
  isOver = true;
  await new Promise((resolve) => setImmediate(resolve));
  return longest;
}

const phases = await measureQueries((q) => telex.messages.search(caller, { q, pageSize: 20 }), roomPages);
const history = () => telex.messages.history(caller, { groupId: 1, groupType: 1, pageSize: 20 });
await timeOf(history);
const page = await timeOf(history);
const figures: Record<string, number> = {
  ...phases,
  "history page CPU ms": page,
};
let tick = 0;
for (const [name, q] of Object.entries(queries)) {
  const search = (cursor?: string) => telex.messages.search(caller, { q, pageSize: 20, ...(cursor && { cursor }) });
  const time = await timeOf(() => search());
  tick = Math.max(tick, await longestTick(() => search()));
  let [found, pages] = [0, 0];
  for (let cursor: string | undefined; found < 20; pages += 1) {
    const { list, nextCursor } = await search(cursor);
    found += list.length;
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  figures[`${name}: page CPU ms`] = time;
  figures[`${name}: x history`] = time / page;
  figures[`${name}: pages`] = Math.max(1, pages);
}
figures["longest tick CPU ms"] = tick;
process.stdout.write(`${JSON.stringify(figures)}\n`);
process.exit(0);
