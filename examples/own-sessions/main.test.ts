import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { startExample } from "../support.ts";

const rooms = "/external/api/v1/im/imWebSocket";

async function signIn(url: string, life = 3600): Promise<string> {
  const response = await fetch(`${url}/sign-in?life=${life}`, { method: "POST" });
  return response.headers.getSetCookie()[0]?.split(";", 1)[0] ?? "";
}

const userId = async (url: string, headers: Readonly<Record<string, string>>): Promise<unknown> => {
  const response = await fetch(`${url}/external/api/v1/oauth2/userId`, { headers });
  return { status: response.status, body: await response.json() };
};

describe("own-sessions", () => {
  it("knows who is signed in to the host, for calls and for sockets", async () => {
    const { url } = await startExample("own-sessions");
    const cookie = `theme=dark; ${await signIn(url)}`;
    expect(await userId(url, { cookie, "sec-fetch-site": "same-origin" })).toMatchObject({ body: { data: { id: 1 } } });
    expect(await userId(url, { cookie, origin: url })).toMatchObject({ status: 200 });
    const socket = new WebSocket(url.replace("http", "ws") + rooms, { headers: { cookie, origin: url } });
    await once(socket, "open");
    socket.send(JSON.stringify({ command: "login", identifier: "1" }));
    const frame: unknown[] = await once(socket, "message");
    expect(JSON.parse(String(frame[0]))).not.toMatchObject({ command: "LoginFail" });
    socket.terminate();
  });

  it("ignores the cookie where another site may have made the request, and without one asks for a token", async () => {
    const { url } = await startExample("own-sessions");
    const cookie = await signIn(url);
    for (const headers of [{ cookie }, { cookie, origin: "https://evil.example" }, { cookie, origin: "null" }]) {
      expect(await userId(url, headers)).toMatchObject({ status: 403, body: { data: { error: "cross_origin" } } });
    }
    const socket = new WebSocket(url.replace("http", "ws") + rooms, {
      headers: { cookie, origin: "https://evil.example" },
    });
    const errors: unknown[] = await once(socket, "error");
    expect(String(errors[0])).toContain("403");
    expect(await userId(url, {})).toMatchObject({ status: 401 });
  });

  it("refuses a session that has ended or never was", async () => {
    const { url } = await startExample("own-sessions");
    const ended = await signIn(url, 0);
    for (const cookie of [ended, "authjs.session-token=nobody"]) {
      expect(await userId(url, { cookie, origin: url })).toMatchObject({ status: 401 });
    }
  });
});
