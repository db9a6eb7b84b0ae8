import { load, requestBytes } from "../lib/http-load.ts";
import { run, serverCore, withFolder } from "../lib/process.ts";
import type { Workload } from "../lib/workload.ts";

const prefix = "/external/api/v1/teleprinter";
const telex = new URL("../servers/telex.ts", import.meta.url).pathname;
const limit = new URL("../limits/post.ts", import.meta.url).pathname;
const messages = 8000;
const one = 1500;

/** Texts for one device: sent one at a time, sent by 32 at once, fetched by polls of 100, and polls that find nothing. */
export const queueWorkloads = (): readonly Workload[] => [
  {
    name: "queue",
    about: "send to a device, durable before the answer; fetch by polls of 100",
    subjects: [
      {
        name: "limit",
        round: () =>
          withFolder(async (folder) => {
            const server = await run(limit, [folder, "store"], serverCore);
            try {
              const port = Number(server.ready["port"]);
              const bytes = requestBytes("POST", prefix, "token", '{"deviceId":"bench","content":"a short line of text"}');
              await load(port, { connections: 32, total: 1000, next: () => bytes });
              const single = await load(port, { connections: 1, total: one, next: () => bytes });
              const many = await load(port, { connections: 32, total: messages, next: () => bytes });
              return { "send p50 ms": single.p50, "sends/s": many.requests / many.seconds };
            } finally {
              await server.stop();
            }
          }),
      },
      {
        name: "telex",
        round: () =>
          withFolder(async (folder) => {
            const server = await run(telex, [folder], serverCore);
            try {
              const port = Number(server.ready["port"]);
              const token = Array.isArray(server.ready["tokens"]) ? String(server.ready["tokens"][0]) : "";
              const post = (name: string, body: object): Buffer =>
                requestBytes("POST", `${prefix}/${name}`, token, JSON.stringify({ deviceId: "bench", ...body }));
              const register = post("register", { name: "Bench" });
              await load(port, { connections: 1, total: 1, next: () => register });
              const send = post("send", { content: "a short line of text" });
              const poll = requestBytes("GET", `${prefix}/poll?deviceId=bench&limit=100`, token);
              const single = await load(port, { connections: 1, total: one, next: () => send });
              const many = await load(port, { connections: 32, total: messages, next: () => send });
              let received = 0;
              const count = (body: Buffer): boolean => {
                received += body.toString().split('"direction"').length - 1;
                return true;
              };
              const fetched = await load(port, { connections: 1, total: (one + messages) / 100 + 1, next: () => poll, check: count });
              if (received !== one + messages) throw new Error(`${received} of ${one + messages} messages were fetched`);
              const empty = await load(port, { connections: 1, total: 2000, next: () => poll });
              return {
                "send p50 ms": single.p50,
                "sends/s": many.requests / many.seconds,
                "fetches/s": received / fetched.seconds,
                "empty poll p50 ms": empty.p50,
              };
            } finally {
              await server.stop();
            }
          }),
      },
    ],
  },
];
