import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { openResponse, withClient } from "./with-client.ts";

async function start(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  onTestFinished(() => server.close().closeAllConnections());
  await once(server, "listening");
  const address = server.address();
  return typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}` : "";
}

/** A server that redirects everything to another one, and the requests that reach the other one. */
async function startRedirect(status: number) {
  const arrived: string[] = [];
  const other = await start((request, response) => {
    arrived.push(`${request.method} ${request.url}`);
    response.setHeader("content-type", "application/json").end('{"code":200,"msg":"success","data":[]}');
  });
  const url = await start((request, response) => {
    response.writeHead(status, { location: `${other}${request.url}` }).end();
  });
  return { server: { url, token: "tlxp_own" }, arrived };
}

describe.each([301, 307])("a server that redirects with %i", (status) => {
  it("gets no token to revoke carried on, and no change is made a GET", async () => {
    const { server, arrived } = await startRedirect(status);
    const revoking = withClient(server, async ({ operator }) => await operator.tokens.revoke({ token: "tlxp_other" }));
    await expect(revoking).rejects.toMatchObject({ error: "unreachable" });
    const sending = withClient(
      server,
      async ({ teleprinter }) => await teleprinter.send({ deviceId: "a", content: "secret" }),
    );
    await expect(openResponse(server, "/download/a.jpg")).rejects.toMatchObject({ error: "unreachable" });
    await expect(sending).rejects.toMatchObject({ error: "unreachable" });
    expect(arrived).toEqual([]);
  });
});
