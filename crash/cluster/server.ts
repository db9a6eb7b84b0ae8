// One server of an installation, as a program of its own: node --conditions=telex-source crash/cluster/server.ts <JSON>
import { inspect } from "node:util";
import { createFsBlobs } from "@telex/blobs/fs";
import { createNatsBus } from "@telex/bus-nats";
import { createTelex, type LogFields, type Logger } from "@telex/core";
import { createSharpEngine } from "@telex/core/sharp";
import { createHttp, serve } from "@telex/http";
import { createMongoStorage } from "@telex/storage-mongo";
import { createWs } from "@telex/ws";
import { listAt, parse, textAt } from "test-support/json";

const given = parse(process.argv[2] ?? "{}");

const write = (level: string, event: string, fields?: LogFields, cause?: unknown): void =>
  void process.stderr.write(`${level} ${event} ${JSON.stringify(fields ?? {})} ${inspect(cause)}\n`);

const log: Logger = {
  info() {},
  warn: (event, fields) => write("warn", event, fields),
  error: (event, fields, cause) => write("error", event, fields, cause),
};

const telex = await createTelex({
  storage: await createMongoStorage({ url: textAt(given, "database") }),
  blobs: createFsBlobs({ directory: textAt(given, "files") }),
  images: createSharpEngine(),
  bus: createNatsBus({ servers: listAt(given, "nats").map(String), log }),
  log,
});
const ws = createWs(telex, { trustProxy: 1 });
const http = createHttp(telex, { trustProxy: 1 });
await serve({ telex, http, ws, port: Number(textAt(given, "port")), host: "127.0.0.1" });
process.stdout.write("listening\n");
