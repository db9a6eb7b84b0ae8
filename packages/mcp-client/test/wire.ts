import { until } from "@telex/conformance/testing";
import { createHttp, serve } from "@telex/http";
import { createWs } from "@telex/ws";
import { onTestFinished } from "vitest";
import { z } from "zod";
import { createProgram, type Move, openTools } from "./scene.ts";

/** `data` is omitted if it is not an object. */
const frame = z.object({ type: z.string(), data: z.looseObject({}).optional().catch(undefined) });
type Frame = z.output<typeof frame>;

/** A server whose model `m` makes these moves, and Carol, who has a token. */
export async function openWire(moves: readonly Move[], more: Parameters<typeof createProgram>[0] = {}) {
  const { server, lines } = createProgram(more);
  const kit = await openTools({ servers: { files: server } }, moves);
  const serving = await serve({ telex: kit.telex, http: createHttp(kit.telex), ws: createWs(kit.telex), port: 0 });
  onTestFinished(() => serving.close(0));
  const carol = await kit.person("Carol");
  const { token } = carol;
  const call = (path: string, body: object): Promise<Response> =>
    fetch(`${serving.url}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  return { ...kit, lines, url: serving.url, carol, token, call };
}

/** A socket, and the frames that it has got. */
export async function openSocket(url: string, path: string) {
  const socket = new WebSocket(`${url.replace("http", "ws")}/external/api/v1/${path}`);
  onTestFinished(() => socket.close());
  const frames: Frame[] = [];
  socket.addEventListener("message", ({ data }) => frames.push(frame.parse(JSON.parse(String(data)))));
  await new Promise((resolve) => socket.addEventListener("open", resolve));
  const came = async (type: string, count = 1): Promise<Frame> => {
    const find = (): Frame | undefined => frames.filter((one) => one.type === type)[count - 1];
    await until(() => find() !== undefined);
    return frame.parse(find());
  };
  return { frames, came, send: (command: object) => socket.send(JSON.stringify(command)) };
}
