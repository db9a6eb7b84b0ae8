import { once } from "node:events";
import { createServer, request } from "node:http";
import { createMemoryBlobs } from "@telex/blobs/memory";
import { createTelex, operator, type Storage, type TelexOptions } from "@telex/core";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createMemoryStorage } from "@telex/storage-memory";
import { describe, expect, it } from "vitest";
import { createHttp } from "../src/server/app.ts";
import { mount, serve } from "../src/server/mount.ts";
import { observePolls, teleprinter } from "./setup.ts";

/** An instance, a caller with a device, and a record of what was closed. */
async function setup(limits: TelexOptions["limits"] = {}) {
  const closings: string[] = [];
  const storage: Storage = createMemoryStorage();
  const close = async (): Promise<void> => {
    closings.push("storage");
    await storage.close();
  };
  const telex = await createTelex({
    storage: { ...storage, close },
    blobs: createMemoryBlobs(),
    images: createSharpEngine(),
    limits,
  });
  const { id } = await telex.operator.users.add(operator, { nickname: "Alice" });
  const { token } = await telex.operator.tokens.issue(operator, { userId: id, scopes: ["chat"] });
  const caller = await telex.authenticate(token);
  await telex.teleprinter.register(caller, { deviceId: "printer", name: "Printer" });
  return { telex, token, closings };
}

const noSockets = { handleUpgrade: () => false, close: () => Promise.resolve() };

const places = {
  mount: async ({ telex }: Awaited<ReturnType<typeof setup>>, http: ReturnType<typeof createHttp>, ws = noSockets) => {
    const server = createServer();
    const mounted = mount(server, { telex, http, ws });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new TypeError("The server listens on no port.");
    return { url: `http://127.0.0.1:${address.port}`, server, close: mounted.close };
  },
  serve: ({ telex }: Awaited<ReturnType<typeof setup>>, http: ReturnType<typeof createHttp>, ws = noSockets) =>
    serve({ telex, http, ws, port: 0 }),
};

describe.each(["mount", "serve"] as const)("%s", (name) => {
  it("answers what is in progress, listens no more, and closes the storage last and once", async () => {
    const given = await setup();
    const { wrap, begun } = observePolls();
    const { url, server, close } = await places[name](given, createHttp(wrap(given.telex)));
    const headers = { authorization: `Bearer ${given.token}` };
    const polled = fetch(`${url}${teleprinter}/poll?deviceId=printer&wait=25`, { headers }).then(async (response) => {
      given.closings.push("poll");
      return await response.json();
    });
    await begun;
    await Promise.all([close(4000), close(4000)]);
    expect(await polled).toMatchObject({ code: 200, data: [] });
    expect(given.closings.toSorted()).toEqual(["poll", "storage"]);
    expect(server.listening).toBe(false);
    await expect(fetch(`${url}/healthz`)).rejects.toThrow("fetch failed");
  });

  it("closes although sockets do not, the storage last", async () => {
    const given = await setup({ closeWait: 10 });
    const endless = { ...noSockets, close: () => new Promise<never>(() => {}) };
    const { close } = await places[name](given, createHttp(given.telex), endless);
    await close(10);
    expect(given.closings).toEqual(["storage"]);
  });

  it("refuses upgrades that nobody takes", async () => {
    const given = await setup();
    const http = createHttp(given.telex);
    const server = createServer();
    const mounted = mount(server, { telex: given.telex, http, ws: noSockets });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    const asking = request({ host: "127.0.0.1", port, headers: { connection: "Upgrade", upgrade: "websocket" } }).end();
    const answered: unknown[] = await once(asking, "response");
    expect(answered[0]).toMatchObject({ statusCode: 404 });
    await mounted.close(0);
  });
});
