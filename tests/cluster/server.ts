// One server of an installation, as a separate program: node --conditions=telex-source tests/cluster/server.ts <JSON>
import { inspect } from "node:util";
import { setTimeout as delay } from "node:timers/promises";
import { createOneBot } from "@telex/bot-onebot";
import { createNatsBus } from "@telex/bus-nats";
import { type ChatModel, createTelex, echoModel, type LogFields, type Logger } from "@telex/core";
import { createRateLimiter, unlimited } from "@telex/core/transport";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createHttp, serve } from "@telex/http";
import { createMqtt } from "@telex/mqtt";
import { createMongoBlobs, createMongoBus, createMongoStorage } from "@telex/storage-mongo";
import { createWs } from "@telex/ws";
import { at, listAt, parse, textAt } from "test-support/json";

const given = parse(process.argv[2] ?? "{}");

const machineTime = Date.now;
const skew = Number(at(given, "skew"));
/** Makes the clock of this process wrong by this many milliseconds. */
Date.now = () => machineTime() + skew;

const write = (level: string, event: string, fields?: LogFields, cause?: unknown): void =>
  void process.stderr.write(`${level} ${event} ${JSON.stringify(fields ?? {})} ${inspect(cause)}\n`);

const log: Logger = {
  info() {},
  warn: (event, fields) => write("warn", event, fields),
  error: (event, fields, cause) => write("error", event, fields, cause),
};

/** Repeats the words of the question, one at a time. */
const slow: ChatModel = {
  ...echoModel,
  async *reply(request) {
    for await (const part of echoModel.reply(request)) {
      await delay(20);
      yield part;
    }
  },
};

const storage = await createMongoStorage({ url: textAt(given, "database") });
const nats = listAt(given, "nats").map(String);
const oneBot = createOneBot();
const telex = await createTelex({
  storage,
  plugins: [oneBot.plugin],
  blobs: createMongoBlobs(storage.connection),
  images: createSharpEngine(),
  models: new Map([["slow", slow]]),
  bus: nats.length === 0 ? createMongoBus({ ...storage.connection, log }) : createNatsBus({ servers: nats, log }),
  log,
});
const rate = at(given, "rate");
const limits = { burst: Number(at(rate, "burst")), perMinute: Number(at(rate, "perMinute")) };
const rateLimiter = rate === undefined ? unlimited : createRateLimiter({ token: limits, address: limits }, telex);
const ws = createWs(telex, { trustProxy: 1, rateLimiter });
/** MQTT needs the attendance of devices, which the older version lacks. */
const mqtt = "attendDevice" in telex ? [createMqtt(telex, { trustProxy: 1, rateLimiter })] : [];
const http = createHttp(telex, { trustProxy: 1, rateLimiter });
const serving = await serve({
  telex,
  http,
  ws: [ws, oneBot, ...mqtt],
  port: Number(textAt(given, "port")),
  host: "127.0.0.1",
});
process.on("SIGUSR2", () => void telex.drain(1000));
process.on("SIGTERM", () => void serving.close(4000).then(() => process.exit(0)));
process.stdout.write("listening\n");
