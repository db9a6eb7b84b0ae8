import { load, requestBytes } from "./http-load.ts";
import type { Running } from "./process.ts";
import { openRoom } from "./room-load.ts";

/** The requests of a burst. */
export interface Load {
  /** Creates the records that a burst consumes. */
  prepare?(total: number): Promise<unknown>;
  burst(total: number): Promise<unknown>;
  /** Removes the records that a burst leaves. */
  drain?(total: number): Promise<unknown>;
}

/** A server and its load. */
export interface Program {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  /** True if the program only prepares a folder, which `telex serve` then serves. */
  readonly isServed?: boolean;
  readonly open: (server: Running) => Promise<Load>;
}

/** How the programs are loaded. */
interface ProgramOptions {
  /** Connections of a load over HTTP. */
  readonly connections: number;
  /** Additional programs that start like `servers/telex.ts`. */
  readonly also: readonly string[];
}

const prefix = "/external/api/v1/teleprinter";
const at = (path: string): string => new URL(`../${path}`, import.meta.url).pathname;
const text = "a short line of text from a device";

const portOf = ({ ready }: Running): number => Number(ready["port"]);
const tokensOf = ({ ready }: Running): readonly string[] =>
  Array.isArray(ready["tokens"]) ? ready["tokens"].map(String) : [];

const post = (server: Running, path: string, body: object): Buffer =>
  requestBytes("POST", `${prefix}${path}`, tokensOf(server)[0] ?? "", JSON.stringify({ deviceId: "bench", ...body }));

const pollOf = (server: Running): Buffer =>
  requestBytes("GET", `${prefix}/poll?deviceId=bench&limit=100`, tokensOf(server)[0] ?? "");

const burstOf = (server: Running, connections: number, bytes: Buffer) => (total: number) =>
  load(portOf(server), { connections, total, next: () => bytes });

/** The load of the bare programs. */
const bare =
  (connections: number) =>
  async (server: Running): Promise<Load> => ({
    burst: burstOf(server, connections, post(server, "", { content: text })),
  });

const register = (server: Running): Promise<unknown> =>
  burstOf(server, 1, post(server, "/register", { name: "Bench" }))(1);

const device =
  (connections: number, path: string | null, body: object) =>
  async (server: Running): Promise<Load> => {
    await register(server);
    const poll = pollOf(server);
    return {
      burst: burstOf(server, connections, path === null ? poll : post(server, path, body)),
      ...(path === "/send" && { drain: (total: number) => burstOf(server, 1, poll)(total / 100 + 1) }),
    };
  };

/** Puts texts into the queue of a device, and fetches them by polls of 100. */
const queue =
  (connections: number, path: string) =>
  async (server: Running): Promise<Load> => {
    const poll = pollOf(server);
    return {
      prepare: burstOf(server, connections, post(server, path, { content: text })),
      burst: (total) => burstOf(server, 1, poll)(Math.ceil(total / 100)),
    };
  };

/** Requests pages of ten messages at one end of a room of a thousand. */
const pages =
  (connections: number, end: "newest" | "deepest") =>
  async (server: Running): Promise<Load> => {
    const [token = ""] = tokensOf(server);
    const groupId = Number(server.ready["groupId"]);
    const room = `/external/api/v1/im/getMessage?groupId=${groupId}&groupType=1`;
    const path = end === "newest" ? room : `${room}&cursor=11`;
    return { burst: burstOf(server, connections, requestBytes("GET", path, token)) };
  };

const barePages =
  (connections: number, top: number) =>
  async (server: Running): Promise<Load> => ({
    burst: burstOf(server, connections, requestBytes("GET", `/?top=${top}`, "")),
  });

/** @param groupType 0 for the room that a bot connects to a network */
const roomOf =
  (senders: number, groupType = 1) =>
  async (server: Running): Promise<Load> => {
    const groupId = Number(server.ready[groupType === 0 ? "botGroupId" : "groupId"]);
    const room = await openRoom(portOf(server), tokensOf(server).slice(0, 10), groupId, groupType);
    return { burst: (total) => room.burst({ total, senders, inFlight: senders === 1 ? 32 : senders * 3 }) };
  };

/** The programs of each kind by its name, with the limit first. */
export function programs({ connections, also }: ProgramOptions): Readonly<Record<string, readonly Program[]>> {
  const telex = at("servers/telex.ts");
  const telexes = (open: Program["open"], ...args: readonly string[]): Program[] => [
    // Only a program can connect a room to a network in memory.
    { name: "telex", file: telex, args, open, isServed: !args.includes("--bot") },
    ...also.map((file) => ({ name: file, file, args, open })),
  ];
  const h3 = { name: "h3", file: at("limits/h3.ts"), args: [], open: bare(connections) };
  const limit = (mode: string): Program => ({
    name: mode,
    file: at("limits/post.ts"),
    args: [mode],
    open: bare(connections),
  });
  const rooms = (senders: number): readonly Program[] => [
    { name: "limit", file: at("limits/group.ts"), args: [], open: roomOf(senders) },
    ...telexes(roomOf(senders), "--members", "10"),
    { name: "unindexed", file: telex, args: ["--members", "10", "--unindexed"], open: roomOf(senders) },
  ];
  const historyPages = (end: "newest" | "deepest"): readonly Program[] => [
    {
      name: "limit",
      file: at("limits/history.ts"),
      args: ["1000"],
      open: barePages(connections, end === "newest" ? 1000 : 10),
    },
    ...telexes(pages(connections, end), "--messages", "1000"),
  ];
  return {
    heartbeat: [h3, limit("plain"), ...telexes(device(connections, "/heartbeat", {}))],
    sync: [limit("store"), limit("same"), ...telexes(device(connections, "/sync", { content: text }))],
    send: [limit("store"), limit("same"), ...telexes(device(connections, "/send", { content: text }))],
    fetch: [
      { name: "limit", file: at("limits/queue.ts"), args: [], open: queue(connections, "") },
      ...telexes(async (server) => {
        await register(server);
        return await queue(connections, "/send")(server);
      }),
    ],
    poll: [h3, limit("plain"), ...telexes(device(connections, null, {}))],
    history: historyPages("newest"),
    deepest: historyPages("deepest"),
    room: rooms(10),
    pipelined: rooms(1),
    bot: [
      { name: "room", file: telex, args: ["--members", "10"], open: roomOf(10) },
      ...telexes(roomOf(10, 0), "--members", "10", "--bot"),
    ],
  };
}
