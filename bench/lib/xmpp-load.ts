import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { percentile } from "./statistics.ts";

/** The domain and the room of the clients of an XMPP server, who need no passwords. */
const domain = "localhost";
const room = "bench@rooms.localhost";

/** One member of the room. */
interface Member {
  readonly socket: Socket;
  /** Messages that it received, including its own. */
  told: number;
  wrong: number;
}

const line = "今天天气很好,我们一起去公园散步吧 (a line of chat)";
const mark = Buffer.from("<body>#");

const message = (number: number): string =>
  `<message to="${room}" type="groupchat" id="m${number}"><body>#${number} ${line}</body></message>`;

/** Sends a text, and reads until the server has written the expected response. */
async function ask(socket: Socket, text: string, expected: string): Promise<void> {
  socket.write(text);
  let read = "";
  while (!read.includes(expected)) {
    read += String((await once(socket, "data"))[0]);
    if (/<failure|type=['"]error['"]|<stream:error/.test(read)) throw new Error(`The XMPP server refused: ${read}`);
  }
}

const header = `<?xml version="1.0"?><stream:stream to="${domain}" version="1.0" xmlns="jabber:client" xmlns:stream="http://etherx.jabber.org/streams">`;

/** Signs in anonymously, and enters the room without its history. */
async function join(port: number, name: string): Promise<Member> {
  const socket = connect(port, "127.0.0.1").setNoDelay(true);
  await ask(socket, header, "</stream:features>");
  await ask(socket, '<auth xmlns="urn:ietf:params:xml:ns:xmpp-sasl" mechanism="ANONYMOUS"/>', "<success");
  await ask(socket, header, "</stream:features>");
  await ask(socket, '<iq type="set" id="bind"><bind xmlns="urn:ietf:params:xml:ns:xmpp-bind"/></iq>', "</iq>");
  const muc = "http://jabber.org/protocol/muc";
  const enter = `<presence to="${room}/${name}"><x xmlns="${muc}"><history maxstanzas="0"/></x></presence>`;
  await ask(socket, enter, "<subject");
  return { socket, told: 0, wrong: 0 };
}

/** Calls `told` with the number of each message that arrives from the room. */
function readMessages(socket: Socket, told: (number: number) => void): void {
  let rest: Buffer = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let end = 0;
    for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, end)) {
      const space = bytes.indexOf(0x20, at);
      if (space < 0) break;
      told(Number(bytes.toString("latin1", at + mark.length, space)));
      end = space;
    }
    // A tag or its number may have arrived in part.
    const tag = bytes.lastIndexOf(0x3c);
    rest = Buffer.from(bytes.subarray(Math.max(end, tag)));
  });
}

/** The figures of messages to a room of an XMPP server. */
export interface XmppResult {
  readonly deliveries: number;
  readonly seconds: number;
  /** Milliseconds from a message to its reflection, which the room sends to all members after it has stored the message. */
  readonly ackP50: number;
}

async function burst(members: readonly Member[], from: number, total: number, inFlight: number): Promise<XmppResult> {
  const [sender] = members;
  if (sender === undefined) throw new Error("A room needs members.");
  const sentAt: number[] = [];
  const acks: number[] = [];
  const { promise: finished, resolve } = Promise.withResolvers<void>();
  let deliveries = 0;
  const send = (): void => {
    if (sentAt.length >= total) return;
    sentAt.push(performance.now());
    sender.socket.write(message(from + sentAt.length));
  };
  const began = performance.now();
  for (const member of members) {
    member.socket.removeAllListeners("data");
    readMessages(member.socket, (number) => {
      member.told += 1;
      if (number !== member.told) member.wrong += 1;
      if (member !== sender) deliveries += 1;
      else {
        acks.push(performance.now() - (sentAt[acks.length] ?? 0));
        send();
      }
      if (acks.length === total && deliveries === total * (members.length - 1)) resolve();
    });
  }
  for (let count = 0; count < inFlight; count += 1) send();
  await finished;
  return { deliveries, seconds: (performance.now() - began) / 1000, ackP50: percentile(acks, 0.5) };
}

/**
 * One member of a room sends messages, several at a time. Every member must receive each of them once and in order.
 * @throws Error if one does not
 */
export async function xmppLoad(
  port: number,
  options: {
    readonly members: number;
    readonly total: number;
    readonly inFlight: number;
    /** Called when the measurement begins. */
    readonly started: () => Promise<void>;
  },
): Promise<XmppResult> {
  const { total, inFlight } = options;
  const members: Member[] = [];
  for (let number = 0; number < options.members; number += 1) members.push(await join(port, `m${number}`));
  const warm = Math.max(inFlight, Math.ceil(total / 4));
  await burst(members, 0, warm, inFlight);
  await options.started();
  const result = await burst(members, warm, total, inFlight);
  const wrong = members.filter((member) => member.wrong > 0 || member.told !== warm + total).length;
  for (const { socket } of members) socket.destroy();
  if (wrong > 0) throw new Error(`${wrong} members were not told everything once and in order`);
  return result;
}
