/**
 * A plain use of SQLite's FTS5 with trigrams: `node bench/limits/search-fts5.ts <folder> <messages>`. Prints one line of JSON with the
 * CPU time in milliseconds of finding the newest 20 messages for each query. It cannot find pinyin. Also prints
 * the figures of all queries in turns.
 */
import { DatabaseSync } from "node:sqlite";
import { chatText, queries } from "../lib/chat-texts.ts";
import { measureQueries, roomPages } from "../lib/query-load.ts";

const [folder = ".", count = "1000"] = process.argv.slice(2);
const database = new DatabaseSync(`${folder}/fts.db`);
database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;
  CREATE TABLE message (id INTEGER PRIMARY KEY, content TEXT);
  CREATE VIRTUAL TABLE found USING fts5(content, content='message', content_rowid='id', tokenize='trigram'); BEGIN`);
const insert = database.prepare("INSERT INTO message VALUES (?, ?)");
const index = database.prepare("INSERT INTO found (rowid, content) VALUES (?, ?)");
const cpu = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
for (let id = 1; id <= Number(count); id += 1) insert.run(id, chatText(id - 1));
const before = cpu();
for (let id = 1; id <= Number(count); id += 1) index.run(id, chatText(id - 1));
database.exec("COMMIT");
const indexed = cpu() - before;
const find = database.prepare("SELECT rowid, content FROM found WHERE content LIKE ? ORDER BY rowid DESC LIMIT 20");

const figures: Record<string, number> = {
  ...(await measureQueries((q) => find.all(`%${q}%`), roomPages)),
  "index CPU µs/message": (indexed * 1000) / Number(count),
};
for (const [name, q] of Object.entries(queries)) {
  const times = Array.from({ length: 5 }, () => {
    const start = cpu();
    for (let call = 0; call < 4; call += 1) find.all(`%${q}%`);
    return (cpu() - start) / 4;
  });
  figures[`${name}: page CPU ms`] = Math.min(...times);
}
process.stdout.write(`${JSON.stringify(figures)}\n`);
