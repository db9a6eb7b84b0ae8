import { createSocket } from "node:dgram";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { createResolve } from "./target.ts";

const addressTypes = { a: 1, aaaa: 28 } as const;

/** A name server that has one address of each type for every name but those that begin with `silent`, about which it says nothing. */
async function startNameServer(): Promise<{ readonly server: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const socket = createSocket("udp4");
  socket.on("message", (question, { port, address }) => {
    const end = question.indexOf(0, 12);
    const name = question.subarray(13, end).toString("latin1");
    asked.push(name);
    if (name.startsWith("silent")) return;
    const isShort = question.readUInt16BE(end + 1) === addressTypes.a;
    const head = Buffer.from(question.subarray(0, end + 5));
    for (const [at, value] of [0x81_80, 1, 1, 0, 0].entries()) head.writeUInt16BE(value, 2 + 2 * at);
    const type = isShort ? addressTypes.a : addressTypes.aaaa;
    const own = isShort ? [203, 0, 113, 7] : [0x20, 1, 0xd, 0xb8, ...Array.from({ length: 11 }, () => 0), 7];
    const record = Buffer.of(0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, own.length, ...own);
    socket.send(Buffer.concat([head, record]), port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  onTestFinished(() => void socket.close());
  return { server: `127.0.0.1:${socket.address().port}`, asked };
}

test("names whose name server is silent delay no other name", async () => {
  const { server, asked } = await startNameServer();
  const resolve = createResolve([server]);
  let ended = 0;
  const silent = Array.from({ length: 40 }, async (_, at) => {
    const found = await resolve(`silent${at}.example`);
    ended += 1;
    return found;
  });
  expect(await resolve("push.example")).toEqual(["203.0.113.7", "2001:db8::7"]);
  expect(ended).toBe(0);
  expect(asked.length).toBeGreaterThan(2);
  expect(await Promise.all(silent)).toEqual(silent.map(() => []));
});
