import { run, type Running, serverCore } from "./process.ts";

const at = (path: string): string => new URL(`../${path}`, import.meta.url).pathname;

const prepare = at("servers/telex.ts");
const limit = at("limits/group.ts");
const command = at("../packages/cli/bin/telex.cjs");

/** A server that has just started, with a room and a token for each of its members. */
export interface RoomServer {
  readonly server: Running;
  readonly port: number;
  readonly groupId: number;
  readonly tokens: readonly string[];
}

const textsOf = (list: unknown): readonly string[] => (Array.isArray(list) ? list.map(String) : []);

/** Starts the program that does only the necessary work for a room. */
export async function startLimit(folder: string): Promise<RoomServer> {
  const server = await run(limit, [folder], serverCore);
  const { port, groupId, tokens } = server.ready;
  return { server, port: Number(port), groupId: Number(groupId), tokens: textsOf(tokens) };
}

/**
 * Starts `telex serve` as users do, on a folder that another process has prepared. Its ready line has the fields of that process.
 * @param records arguments of `servers/telex.ts`
 */
export async function runTelex(
  folder: string,
  records: readonly string[],
  flags: readonly string[] = [],
): Promise<Running> {
  const prepared = await run(prepare, [folder, ...records], serverCore);
  await prepared.stop();
  const args = ["serve", "--port", "0", "--rate-limits", "off", "--data", folder, ...flags];
  const server = await run(command, args, serverCore);
  const port = Number(/:(\d+)$/.exec(String(server.ready["text"]))?.[1]);
  return { ...server, ready: { ...prepared.ready, port } };
}

/** Starts the command with a room. */
export const startTelex =
  (members: number, flags: readonly string[] = []) =>
  async (folder: string): Promise<RoomServer> => {
    const server = await runTelex(folder, ["--members", String(members)], flags);
    const { port, groupId, tokens } = server.ready;
    return { server, port: Number(port), groupId: Number(groupId), tokens: textsOf(tokens) };
  };
