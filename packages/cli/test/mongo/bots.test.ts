import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, request } from "node:http";
import { connect } from "node:net";
import { createMemoryBlobs } from "@telex/blobs/memory";
import { operator } from "@telex/core";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createScene } from "@telex/conformance/testing";
import { createMongoStorage } from "@telex/storage-mongo";
import { expect, it, onTestFinished } from "vitest";
import { finished, folder, lastJson, serve, start, until } from "test-support/command";
import { at, listAt } from "test-support/json";
import { portOf } from "test-support/port";
import { sharedMongo } from "test-support/shared-mongo";

const account = "10001";
const secret = "secret-of-the-bot";
const count = 30;

/** A load balancer that gives the sockets of bots to one server, and the requests of clients to another one. */
async function createBalancer(targets: { bots: string; readonly clients: string }): Promise<string> {
  const balancer = createServer((incoming, response) => {
    const { method, url = "/", headers } = incoming;
    const forwarded = request(new URL(url, targets.clients), { method: method ?? "GET", headers }, (answered) => {
      response.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.pipe(response);
    });
    forwarded.on("error", () => response.destroy());
    incoming.pipe(forwarded);
  });
  balancer.on("upgrade", ({ url = "/", rawHeaders }, client, head: Buffer) => {
    const { hostname, port } = new URL(targets.bots);
    const server = connect(Number(port), hostname);
    const lines = rawHeaders.map((word, index) => (index % 2 === 0 ? `${word}: ` : `${word}\r\n`));
    server.write(`GET ${url} HTTP/1.1\r\n${lines.join("")}\r\n`);
    server.write(head);
    server.pipe(client).pipe(server);
    for (const socket of [client, server]) {
      socket.on("error", () => undefined);
      socket.on("close", () => [client, server].forEach((one) => one.destroy()));
    }
  });
  balancer.listen(0, "127.0.0.1");
  await once(balancer, "listening");
  onTestFinished(() => balancer.closeAllConnections());
  onTestFinished(() => void balancer.close());
  return `http://127.0.0.1:${portOf(balancer)}`;
}

/** A member with a token of a room of the network's group 500, and its bot. */
async function fill(url: string): Promise<string> {
  const storage = await createMongoStorage({ url });
  const { telex, person, room } = await createScene({
    storage,
    blobs: createMemoryBlobs(),
    images: createSharpEngine(),
  });
  const ann = await person("Ann");
  await room([ann], { groupType: 4, ext: "500", bot: account });
  await telex.operator.bots.add(operator, { account, secret, minInterval: 0 });
  await telex.close();
  return ann.token;
}

it("a bot of one server serves the clients of another one, also after that server was killed", async () => {
  const database = `${sharedMongo()}/bots-${randomUUID()}`;
  const [token, cwd] = [await fill(database), await folder()];
  const run = () => serve(["--rate-limits", "off", "--storage", database], { cwd });
  const [first, second] = await Promise.all([run(), run()]);

  const targets = { bots: first.url, clients: second.url };
  const url = await createBalancer(targets);
  const place = ["--room", "1", "--ext", "500", "--count", String(count), "--seed", "7"];
  const simulated = finished(
    start(["bot", "simulate", "--url", url, "--token", token, "--secret", secret, ...place, "--json"]),
  );
  const headers = { authorization: `Bearer ${token}` };
  await until(async () => {
    const path = "/external/api/v1/im/getMessage?groupId=1&groupType=4&pageSize=100";
    const page: unknown = await (await fetch(second.url + path, { headers })).json();
    return listAt(page, "data", "groupMessages").length >= count / 2;
  });
  targets.bots = second.url;
  first.process.kill("SIGKILL");

  const { code, stdout, stderr } = await simulated;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const figures = lastJson(stdout);
  expect(figures).toMatchObject({ refused: 0, said: count + 1, connections: 2, duplicates: 0, lost: 0 });
  expect(Number(at(figures, "sent")) + Number(at(figures, "unknown"))).toBe(count);
  expect(at(figures, "sent")).toBeGreaterThan(count / 2);
  const errors = second
    .log()
    .split("\n")
    .filter((line) => line.includes('"level":"error"'));
  expect(errors).toEqual([]);
});
