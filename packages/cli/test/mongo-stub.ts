import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { BSON, type Document } from "mongodb";
import { onTestFinished } from "vitest";
import { portOf } from "test-support/port";

/** The response of a MongoDB server to one command. The first key of the document names the command. */
type Responder = (command: string, document: Document) => Document;

const codes = { reply: 1, query: 2004, message: 2013 } as const;
const headerSize = 16;

function framed(request: Buffer, code: number, body: readonly Uint8Array[]): Buffer {
  const header = Buffer.alloc(headerSize);
  const length = body.reduce((sum, { byteLength }) => sum + byteLength, headerSize);
  [length, 1, request.readInt32LE(4), code].forEach((value, place) => header.writeInt32LE(value, place * 4));
  return Buffer.concat([header, ...body]);
}

/** The document of an OP_QUERY, in which drivers greet, or of an OP_MSG. */
function documentOf(request: Buffer): Document {
  if (request.readInt32LE(12) === codes.message) return BSON.deserialize(request.subarray(headerSize + 5));
  const nameEnd = request.indexOf(0, headerSize + 4);
  return BSON.deserialize(request.subarray(nameEnd + 9));
}

function respond(request: Buffer, document: Document): Buffer {
  const body = BSON.serialize(document);
  if (request.readInt32LE(12) === codes.message) return framed(request, codes.message, [Buffer.alloc(5), body]);
  const fields = Buffer.alloc(20);
  fields.writeInt32LE(1, 16);
  return framed(request, codes.reply, [fields, body]);
}

function serveTo(socket: Socket, responder: Responder): void {
  let rest = Buffer.alloc(0);
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 4 && rest.length >= rest.readInt32LE(0)) {
      const request = rest.subarray(0, rest.readInt32LE(0));
      rest = rest.subarray(request.length);
      const document = documentOf(request);
      socket.write(respond(request, responder(Object.keys(document)[0] ?? "", document)));
    }
  });
}

async function listen(responder: Responder): Promise<Server> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    serveTo(socket, responder);
  }).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  await once(server, "listening");
  return server;
}

/** The greeting of a healthy member of the replica set rs0. */
export const primary: Document = {
  ok: 1,
  isWritablePrimary: true,
  ismaster: true,
  setName: "rs0",
  setVersion: 1,
  minWireVersion: 0,
  maxWireVersion: 21,
  maxBsonObjectSize: 16_777_216,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
  logicalSessionTimeoutMinutes: 30,
  readOnly: false,
};

/** The response with which a server rejects a command. */
export const refusal = (code: number, codeName: string, errmsg: string): Document => ({
  ok: 0,
  code,
  codeName,
  errmsg,
});

/**
 * Speaks the wire protocol of MongoDB, to respond like an unusable server. Ends with the test.
 * @param hello the greeting; its members have the address of this server unless `hosts` is given
 * @param other the response to all other commands; by default all succeed
 * @returns the host and port
 */
export async function startMongoStub(hello: Document, other: Responder = () => ({ ok: 1 })): Promise<string> {
  let address = "";
  const server = await listen((command, document) => {
    if (!/^(hello|ismaster)$/i.test(command)) return other(command, document);
    return { ...("setName" in hello && { hosts: [address], me: address, primary: address }), ...hello };
  });
  address = `127.0.0.1:${portOf(server)}`;
  return address;
}
