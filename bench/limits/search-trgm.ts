/**
 * A plain use of PostgreSQL with an index of `pg_trgm`: `node bench/limits/search-trgm.ts <folder> <messages>`. Starts its own server in
 * the folder. Prints one line of JSON with the CPU time in milliseconds that the server process takes to find the newest 20 messages for
 * each query. It cannot find pinyin. Needs Linux and Debian's `postgresql-15`.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { chatText, queries } from "../lib/chat-texts.ts";
import { postgresOwner, postgresPrograms, startPostgres } from "../peers/postgres.ts";

const [folder = ".", count = "1000"] = process.argv.slice(2);
/** A connection. The server answers statements in order. */
class Session {
  readonly #psql: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string, undefined>;

  constructor(socket: string) {
    const args = ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", socket, "-d", "postgres"];
    const options = { ...postgresOwner(), cwd: "/" };
    this.#psql = spawn(`${postgresPrograms}/psql`, args, { ...options, stdio: ["pipe", "pipe", "inherit"] });
    this.#lines = createInterface({ input: this.#psql.stdout })[Symbol.asyncIterator]();
  }

  /** Runs statements, and returns the lines of the output. */
  async ask(statements: string): Promise<readonly string[]> {
    this.#psql.stdin.write(`${statements}\n\\echo done\n`);
    const answer: string[] = [];
    for (;;) {
      const { done, value } = await this.#lines.next();
      if (done === true) throw new Error("PostgreSQL has ended.");
      if (value === "done") return answer;
      answer.push(value);
    }
  }

  end(): void {
    this.#psql.stdin.end("\\q\n");
  }
}

/** A line for each message in the format of COPY. */
function* copyOf(size: number): Generator<string> {
  for (let from = 0; from < size; from += 1000) {
    const rows = Array.from({ length: Math.min(1000, size - from) }, (_, at) => from + at);
    yield rows.map((row) => `${row + 1}\t${chatText(row).replaceAll(/[\\\t\n]/g, " ")}`).join("\n");
  }
}

const server = startPostgres(folder, [
  "fsync=off",
  "jit=off",
  "max_parallel_workers_per_gather=0",
  "max_parallel_maintenance_workers=0",
]);
try {
  const session = new Session(server.socket);
  const pid = (await session.ask("SELECT pg_backend_pid();")).at(0) ?? "";
  /** Milliseconds that the process of the connection has run. */
  const cpu = (): number => Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
  await session.ask("CREATE EXTENSION pg_trgm; CREATE TABLE message (id bigint PRIMARY KEY, content text NOT NULL);");
  await session.ask(`COPY message FROM stdin;\n${[...copyOf(Number(count))].join("\n")}\n\\.`);
  const before = cpu();
  await session.ask("CREATE INDEX found ON message USING gin (content gin_trgm_ops);");
  const figures: Record<string, number> = { "index CPU µs/message": ((cpu() - before) * 1000) / Number(count) };
  await session.ask("VACUUM ANALYZE message;");
  for (const [name, q] of Object.entries(queries)) {
    const find = `SELECT id, content FROM message WHERE content ILIKE '%${q}%' ORDER BY id DESC LIMIT 20;`;
    const times: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const start = cpu();
      await session.ask(find.repeat(4));
      times.push((cpu() - start) / 4);
    }
    figures[`${name}: page CPU ms`] = Math.min(...times);
  }
  session.end();
  process.stdout.write(`${JSON.stringify(figures)}\n`);
} finally {
  server.stop();
}
