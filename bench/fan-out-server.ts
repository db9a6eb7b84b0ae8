/** The server of `fan-out.ts` and `idle.ts`, in its own process. On request, it sends bursts and reports its memory and CPU time. */
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, Socket } from "node:net";
import { createMemoryBlobs } from "../packages/blobs/src/memory.ts";
import { createSharpEngine } from "../packages/image-text/src/sharp.ts";
import { createTelex, operator, type Telex, type TokenHolder } from "../packages/core/src/index.ts";
import type { LiveConnection } from "../packages/core/src/instance/live-events.ts";
import { createMemoryStorage } from "../packages/storage-memory/src/index.ts";
import { createWs } from "../packages/ws/src/index.ts";
import { encodeText } from "../packages/ws/src/connection/wire.ts";

const handshake = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n";

/** `joined` writes like Telex. The others write each frame separately, built once (`frame each`) or for each member. */
type Mode = "joined" | "frame each" | "string each";

type Upgrade = (socket: Socket, token: string) => Promise<void>;

const encode = (event: { readonly data: unknown }): Buffer =>
  encodeText(JSON.stringify({ type: "GroupMessage", code: 200, data: event.data }));

/** Sockets that write each event separately. */
function perFrame(telex: Telex, mode: Mode): Upgrade {
  const frames = new WeakMap<object, Buffer>();
  const frameOf = (event: { readonly data: unknown }): Buffer => {
    if (mode === "string each") return encode(event);
    const frame = frames.get(event) ?? encode(event);
    frames.set(event, frame);
    return frame;
  };
  return async (socket, token) => {
    socket.write(handshake);
    const holder = await telex.authenticate(token);
    if (holder.kind !== "token") return;
    const live: LiveConnection = {
      holder,
      write(events) {
        for (const event of events) socket.write(frameOf(event));
      },
      close: () => void socket.destroy(),
    };
    telex.attach(live);
    telex.listen(live, { echo: false, since: null });
  };
}

async function prepare(telex: Telex, members: number) {
  const tokens: string[] = [];
  const ids: number[] = [];
  for (let index = 0; index <= members; index += 1) {
    const { id } = await telex.operator.users.add(operator, { nickname: `Member ${index}` });
    ids.push(id);
    const { token } = await telex.operator.tokens.issue(operator, { userId: id, scopes: ["chat"] });
    if (index > 0) tokens.push(token);
  }
  const { groupId } = await telex.operator.groups.add(operator, { groupType: 1, name: "Room", members: ids });
  const sender: TokenHolder = { kind: "token", userId: ids[0] ?? 0, scopes: ["chat"], tokenId: null, expiresAt: null };
  return { tokens, groupId, sender };
}

async function serve(mode: Mode, members: number): Promise<void> {
  const telex = await createTelex({
    storage: createMemoryStorage(),
    blobs: createMemoryBlobs(),
    images: createSharpEngine(),
  });
  const { tokens, groupId, sender } = await prepare(telex, members);
  const ws = createWs(telex);
  const server = createServer();
  const upgrade = mode === "joined" ? null : perFrame(telex, mode);
  server.on("upgrade", (request, socket, head) => {
    if (upgrade === null) ws.handleUpgrade(request, socket, head);
    else if (socket instanceof Socket) void upgrade(socket, request.url?.split("/").at(-1) ?? "");
  });
  server.listen(0, "127.0.0.1", members);
  await once(server, "listening");
  process.on("message", (burst: number) => {
    if (burst === 0) {
      globalThis.gc?.();
      process.send?.({ ...process.cpuUsage(), ...process.memoryUsage() });
    }
    for (let index = 0; index < burst; index += 1) {
      void telex.messages.send(sender, {
        groupId,
        groupType: 1,
        message: `Message ${index} of a burst, of usual length`,
      });
    }
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a listening TCP server has such an address
  const { port } = server.address() as AddressInfo;
  process.send?.({ port, tokens });
}

const [mode, members] = process.argv.slice(2);
await serve(mode === "frame each" || mode === "string each" ? mode : "joined", Number(members));
