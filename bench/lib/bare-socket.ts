import { once } from "node:events";
import { connect, type Socket } from "node:net";

/**
 * Opens a WebSocket on a plain TCP connection. The members of a load only count bytes, because a client that parses frames would
 * measure itself.
 * @param target the path with its token and query
 */
export async function openBareSocket(port: number, target: string): Promise<Socket> {
  const socket = connect(port, "127.0.0.1").setNoDelay(true);
  socket.write(
    `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n",
  );
  await once(socket, "data");
  return socket;
}
