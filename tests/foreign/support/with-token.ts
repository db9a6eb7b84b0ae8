import { once } from "node:events";
import { createServer, request } from "node:http";
import { onTestFinished } from "vitest";

/** Passes requests on to a server with a token, for programs that cannot send one. */
export async function serveWithToken() {
  const to = { url: "", token: "" };
  const server = createServer((req, res) => {
    const headers = { ...req.headers, authorization: `Bearer ${to.token}` };
    const passed = request(new URL(req.url ?? "", to.url), { method: req.method, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    passed.on("error", () => res.destroy());
    req.pipe(passed);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    /** With the host name that checkers of DNS rebinding expect. */
    url: `http://localhost:${port}`,
    passTo: (url: string, token: string) => Object.assign(to, { url, token }),
  };
}
