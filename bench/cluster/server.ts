// One server of an installation: node --conditions=telex-source bench/cluster/server.ts <address of the database> [address of NATS]
import { createNatsBus } from "@telex/bus-nats";
import { createHttp, serve } from "@telex/http";
import { createWs } from "@telex/ws";
import { startServer } from "./servers.ts";

const [, , database = "", nats] = process.argv;
// Other installations use the same NATS.
const installation = new URL(database).pathname.slice(1);
const bus = nats === undefined ? undefined : () => createNatsBus({ servers: [nats], installation });
const telex = await startServer(database, bus);
const { url } = await serve({ telex, http: createHttp(telex), ws: createWs(telex), port: 0, host: "127.0.0.1" });
process.stdout.write(`${JSON.stringify({ url, pid: process.pid })}\n`);
