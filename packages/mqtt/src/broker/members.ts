import type { Telex } from "@telex/core";
import { actingFor, type CloseReason } from "@telex/core/transport";
import type { BrokerLink } from "./link.ts";
import { openOutbound, type Outbound } from "./outbound.ts";

/** The devices whose texts go to the broker: those that came over it, until they connect in another way. */
export interface Members {
  readonly has: (deviceId: string) => boolean;
  /** Call it when a device of this user has come over the broker, now or before this server started. Has no effect on a member. */
  readonly enter: (deviceId: string, owner: number) => void;
  /** Removes a device that no longer belongs to this user, or whose user is suspended. */
  readonly forget: (deviceId: string) => void;
  /** Starts to publish over a new connection to the broker. */
  readonly open: (link: BrokerLink) => void;
  /** Queues unacknowledged texts again. */
  readonly close: () => Promise<void>;
}

interface MembersDeps {
  readonly telex: Telex;
  /** Maximum unacknowledged texts of one device. */
  readonly window: number;
}

interface Member {
  readonly owner: number;
  /** Starts to publish if the broker is available. Has no effect while texts are being published. */
  readonly start: () => void;
  /** Never rejects. */
  readonly stop: () => Promise<void>;
}

/** The value of a device's `transport` for a connection over a broker. */
export const brokerTransport = "mqtt broker";

/** Milliseconds until texts without a subscriber, or that the broker has refused, are published again. */
const pause = 30_000;
const noSubscribers = 0x10;

/** Notes that the device has another connection now, unless the device has already reported it. */
async function noteOther({ teleprinter }: Telex, deviceId: string, owner: number): Promise<void> {
  const devices = await teleprinter.devices(actingFor(owner), {});
  if (devices.find((device) => device.deviceId === deviceId)?.transport !== brokerTransport) return;
  await teleprinter.heartbeat(actingFor(owner), { deviceId, transport: "http" });
}

interface MemberDeps extends MembersDeps {
  readonly deviceId: string;
  readonly owner: number;
  /** Null while the broker is unavailable. */
  readonly link: () => BrokerLink | null;
  readonly left: () => void;
}

/** Sends the texts of a device to the broker, with a pause after a text that the broker does not accept. */
function createMember({ telex, window, deviceId, owner, link, left }: MemberDeps): Member {
  const { clock, log } = telex;
  const state = { outbound: null as Outbound | null, cancel: (): void => {} };
  const failed = (cause: unknown): void => log.error("mqtt.broker_device_failed", { deviceId }, cause);
  const stop = async (): Promise<void> => {
    state.cancel();
    const { outbound } = state;
    state.outbound = null;
    await outbound?.end().catch(failed);
  };
  const later = (): void => {
    void stop();
    state.cancel = clock.after(pause, start);
  };
  const closed = (reason: CloseReason): void => {
    if (reason === "too_slow") return later();
    void stop();
    left();
    if (reason === "replaced" || reason === "in_use") noteOther(telex, deviceId, owner).catch(failed);
  };
  const refused = (code: number): void => {
    if (code !== noSubscribers) log.warn("mqtt.broker_refused", { deviceId, code });
    later();
  };
  const start = (): void => {
    const open = link();
    if (open === null || state.outbound !== null) return;
    state.cancel();
    state.outbound = openOutbound({ telex, link: open, holder: actingFor(owner), deviceId, window, refused, closed });
  };
  return { owner, start, stop };
}

export function createMembers(deps: MembersDeps): Members {
  const members = new Map<string, Member>();
  const endings = new Set<Promise<void>>();
  let current: BrokerLink | null = null;
  const stop = (member: Member): void => {
    const ending = member.stop().finally(() => endings.delete(ending));
    endings.add(ending);
  };
  const forget = (deviceId: string): void => {
    const member = members.get(deviceId);
    if (member !== undefined) stop(member);
    members.delete(deviceId);
  };
  const add = (deviceId: string, owner: number): Member => {
    const left = (): void => {
      if (members.get(deviceId) === member) members.delete(deviceId);
    };
    const member = createMember({ telex: deps.telex, window: deps.window, deviceId, owner, link: () => current, left });
    members.set(deviceId, member);
    return member;
  };
  return {
    has: (deviceId) => members.has(deviceId),
    enter(deviceId, owner) {
      const known = members.get(deviceId);
      if (known !== undefined && known.owner !== owner) forget(deviceId);
      (members.get(deviceId) ?? add(deviceId, owner)).start();
    },
    forget,
    open(link) {
      current = link;
      for (const member of members.values()) member.start();
    },
    async close() {
      current = null;
      for (const member of members.values()) stop(member);
      await Promise.all(endings);
    },
  };
}
