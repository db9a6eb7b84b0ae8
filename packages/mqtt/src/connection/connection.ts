import { randomUUID } from "node:crypto";
import type { Telex } from "@telex/core";
import { type Callers, createPipeline, type SendQueues } from "@telex/ws/acceptor";
import type { MqttLimits } from "../limits.ts";
import { openSession, refuseWill, type Session } from "../session/open.ts";
import type { Outcome } from "../session/session.ts";
import type { Discovery } from "../topics/discovery.ts";
import { codes, returnCodeOf } from "../wire/codes.ts";
import { createFramer } from "../wire/framer.ts";
import { decode, type Packet } from "../wire/packets.ts";
import { type Admission, admit } from "../admission/admission.ts";
import type { Clients } from "./clients.ts";
import { createKeepalive, type Keepalive } from "../io/keepalive.ts";
import type { Link } from "../io/link.ts";
import { createOut, type Out } from "../io/out.ts";
import { createRates } from "../io/rates.ts";

interface ConnectionDeps {
  readonly telex: Telex;
  readonly limits: MqttLimits;
  readonly callers: Callers;
  readonly queues: SendQueues;
  readonly clients: Clients;
  /** Null without discovery. */
  readonly discovery: Discovery | null;
  /** Waits for the end of a session before the server closes. */
  readonly finish: (ending: Promise<void>) => void;
}

/** One connection of a client. */
export interface Connection {
  readonly receive: (bytes: Buffer) => void;
  /** Writes bytes of the protocol below, such as a pong of a WebSocket. */
  readonly write: (bytes: Buffer) => void;
  /** Continues to write after the stream has drained. */
  readonly drained: () => void;
  /** Accepts no more packets, answers those in progress, then closes. */
  readonly leave: (reason: number) => void;
  readonly terminate: () => void;
  /** Call it when the other side has closed: handles the packets that it has sent. Resolves when the connection has ended. */
  readonly closed: () => Promise<void>;
}

const second = 1000;
/** Maximum seconds between two packets of an MQTT 5 device, so that it does not count as silent. */
const longestKeepalive = 60;
/** Maximum seconds of silence of a client without a keepalive. */
const defaultSilence = 90;

/** The effective keepalive, which the server may choose in MQTT 5. */
function keepaliveOf({ connect: { keepalive }, login }: Admission, { version }: Out): number {
  if (version === 4) return keepalive;
  const isLong = keepalive === 0 || (login.as === "device" && keepalive > longestKeepalive);
  return isLong ? longestKeepalive : keepalive;
}

const silenceOf = (keepalive: number): number => (keepalive === 0 ? defaultSilence : 1.5 * keepalive) * second;

/** The response to an accepted CONNECT. */
function acceptance(
  { version }: Out,
  { connect }: Admission,
  { packetSize, packetQueue }: MqttLimits,
  serverKeepAlive: number,
): Packet {
  if (version === 4) return { cmd: "connack", sessionPresent: false, returnCode: 0 };
  const isUnnamed = connect.clientId === "";
  return {
    cmd: "connack",
    sessionPresent: false,
    reasonCode: codes.success,
    properties: {
      sessionExpiryInterval: 0,
      receiveMaximum: packetQueue,
      maximumQoS: 1,
      maximumPacketSize: packetSize,
      topicAliasMaximum: 0,
      subscriptionIdentifiersAvailable: false,
      sharedSubscriptionAvailable: false,
      ...(isUnnamed && { assignedClientIdentifier: `telex-${randomUUID()}` }),
      ...(serverKeepAlive !== connect.keepalive && { serverKeepAlive }),
    },
  };
}

/** Refuses a CONNECT, and closes. */
function refuse(out: Out, reason: number): void {
  if (out.version === 5) out.send({ cmd: "connack", sessionPresent: false, reasonCode: reason });
  else out.send({ cmd: "connack", sessionPresent: false, returnCode: returnCodeOf(reason) });
  out.end(null);
}

/** The first byte of every connection. */
const connectByte = 0x10;

const malformed: Outcome = { end: codes.malformed };

interface State {
  session: Session | null;
  keepalive: Keepalive | null;
  /** Handles the first packet; null until it has arrived. */
  started: Promise<void> | null;
  /** True if the will must not be published. */
  isGraceful: boolean;
  isLeaving: boolean;
  isMqtt: boolean;
}

interface ConnectionParts {
  readonly deps: ConnectionDeps;
  readonly link: Link;
  readonly out: Out;
  readonly state: State;
  readonly pipeline: ReturnType<typeof createPackets>;
}

/** The packets of a connection, in progress and waiting. */
function createPackets({ limits }: ConnectionDeps, link: Link, out: Out, state: State) {
  const pipeline = createPipeline<Buffer, Outcome>({
    limit: limits.packetQueue,
    pause: link.pause,
    resume: link.resume,
    answer({ packet, after, end, isGraceful = false }) {
      state.isGraceful ||= isGraceful;
      if (packet !== undefined) out.send(packet);
      after?.();
      if (end !== undefined) out.end(isGraceful ? null : end);
    },
  });
  out.atEnd(pipeline.clear);
  return pipeline;
}

function keepAlive({ deps: { telex }, out, pipeline, state }: ConnectionParts, seconds: number): void {
  const keepalive = createKeepalive(telex.clock, silenceOf(seconds), {
    isRead: () => !pipeline.isFull(),
    expired: () => out.end(codes.keepAliveTimeout),
  });
  out.atEnd(keepalive.stop);
  state.keepalive = keepalive;
}

function openSessionOf(parts: ConnectionParts, admission: Admission): Session {
  const { link, out, pipeline, state } = parts;
  const { telex, callers, clients, discovery, finish, limits } = parts.deps;
  const { holder } = admission.live;
  const rates = createRates({ clock: telex.clock, callers, holder, address: link.address, atEnd: out.atEnd });
  const session = openSession({ telex, out, rates, limits, discovery }, admission);
  state.session = session;
  out.atEnd(() => finish(pipeline.idle().then(() => session.end(!state.isGraceful))));
  out.atEnd(clients.enter(admission, () => out.end(codes.takenOver)));
  return session;
}

/** Accepts a connection, and starts to handle its packets. */
function accept(parts: ConnectionParts, admission: Admission): void {
  const { out, pipeline } = parts;
  const { limits, discovery, finish } = parts.deps;
  const { connect, attendance, login } = admission;
  const refusal = refuseWill(login, connect.will, discovery);
  if (refusal !== null || out.isEnded()) {
    finish(attendance?.end() ?? Promise.resolve());
    return refuse(out, refusal ?? codes.serverUnavailable);
  }
  const session = openSessionOf(parts, admission);
  const seconds = keepaliveOf(admission, out);
  keepAlive(parts, seconds);
  out.send(acceptance(out, admission, limits, seconds));
  session.begin();
  pipeline.open((bytes) => {
    const packet = decode(bytes, out.version);
    return packet === null ? { order: "alone", run: () => Promise.resolve(malformed) } : session.prepare(packet);
  });
}

/** Reads the first packet. */
async function start(parts: ConnectionParts, leave: Connection["leave"], bytes: Buffer): Promise<void> {
  const { out, link, state } = parts;
  const { telex, callers } = parts.deps;
  const write: Session["write"] = (events) => state.session?.write(events);
  const deviceRaised: Session["deviceRaised"] = (deviceId) => state.session?.deviceRaised(deviceId);
  const admission = await admit({ telex, out, callers, address: link.address, write, deviceRaised, leave }, bytes);
  if (admission === null) out.end(null);
  else if (typeof admission === "number") refuse(out, admission);
  else accept(parts, admission);
}

function createReceive(parts: ConnectionParts, leave: Connection["leave"]): Connection["receive"] {
  const { out, pipeline, state } = parts;
  const framer = createFramer({
    limit: parts.deps.limits.packetSize,
    packet(bytes) {
      if (out.isEnded() || state.isLeaving) return;
      state.keepalive?.heard();
      state.session?.heard();
      if (state.started === null) state.started = start(parts, leave, bytes);
      else pipeline.push(bytes);
    },
    failed: (fault) => out.end(fault === "too_large" ? codes.packetTooLarge : codes.malformed),
  });
  return (bytes) => {
    state.isMqtt ||= bytes[0] === connectByte;
    if (state.isMqtt) framer.push(bytes);
    else out.end(null);
  };
}

export function createConnection(deps: ConnectionDeps, link: Link): Connection {
  const { telex, limits, queues } = deps;
  const { clock, log } = telex;
  const state: State = {
    session: null,
    keepalive: null,
    started: null,
    isGraceful: false,
    isLeaving: false,
    isMqtt: false,
  };
  const out = createOut({ link, queues, log, cutLater: () => void clock.after(limits.closeTime, link.terminate) });
  out.atEnd(clock.after(limits.connectWait, () => state.session === null && out.end(null)));
  const pipeline = createPackets(deps, link, out, state);
  const leave = (reason: number): void => {
    if (state.isLeaving) return;
    state.isLeaving = true;
    // The client should connect again, so its will is not published.
    state.isGraceful = true;
    void pipeline.idle().then(() => out.end(reason));
  };
  return {
    receive: createReceive({ deps, link, out, state, pipeline }, leave),
    write: out.write,
    drained: out.drained,
    leave,
    terminate: link.terminate,
    async closed() {
      await state.started;
      if (state.session !== null) await pipeline.idle();
      out.gone();
    },
  };
}
