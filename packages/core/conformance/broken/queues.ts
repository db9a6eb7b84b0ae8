import type { DeviceMessageRecord } from "../../src/records/teleprinter.ts";
import { withLatency } from "../latency.ts";
import { type BrokenStorage, meanwhile, override } from "./spoil.ts";

const everything = { before: null, limit: 10_000 } as const;

/** Wrong stores of texts on their way to a device. */
export const brokenQueues: readonly BrokenStorage[] = [
  {
    fault: "calls overtake each other",
    found: [
      "teleprinter append: ids rise in the order of the calls",
      "messages: ids and places rise in the order of the calls, without holes in a room",
    ],
    spoil: (storage) => withLatency(storage, 5),
  },
  {
    fault: "a text's nonce is forgotten",
    found: [
      "teleprinter append: a repeated nonce stores nothing and answers with the first text",
      "teleprinter append: of 20 simultaneous texts with one nonce exactly one is stored",
    ],
    spoil: override("teleprinter", (store) => ({ append: (append) => store.append({ ...append, nonce: null }) })),
  },
  {
    fault: "the queue is counted first and filled later",
    found: ["teleprinter append: of 20 simultaneous texts a queue with 5 places left takes exactly 5"],
    spoil: override("teleprinter", (store) => ({
      async append(append) {
        const page = await store.page({ ...append, ...everything });
        const waiting = page.outcome === "page" ? page.messages.filter(({ delivered }) => !delivered) : [];
        if (append.direction === "to_device" && waiting.length >= append.queueLimit) return { outcome: "full" };
        await meanwhile();
        return store.append({ ...append, queueLimit: 10_000 });
      },
    })),
  },
  {
    fault: "texts are tidied up",
    found: ["teleprinter append: texts come back as they were"],
    spoil: override("teleprinter", (store) => ({
      append: (append) => store.append({ ...append, content: append.content.normalize("NFC").trim() }),
    })),
  },
  {
    fault: "taking does not hold",
    found: [
      "teleprinter take: 10 simultaneous polls get no text twice, and all of them",
      "teleprinter take: taking gives the oldest first, and holds them",
    ],
    spoil: override("teleprinter", (store) => ({
      async take({ limit, now, ...key }) {
        const shown = await store.acknowledge({ ...key, upTo: 0, limit, now });
        if (shown.outcome === "above_newest") return { outcome: "taken", messages: [] };
        return shown.outcome === "acknowledged" ? { outcome: "taken", messages: shown.messages } : shown;
      },
    })),
  },
  {
    fault: "what is put back goes to the end of the queue",
    found: ["teleprinter take: what is put back is in its old place"],
    spoil: override("teleprinter", (store) => {
      const held = new Map<string, readonly DeviceMessageRecord[]>();
      return {
        async take(take) {
          const taken = await store.take(take);
          if (taken.outcome === "taken") held.set(take.holder, taken.messages);
          return taken;
        },
        async requeue({ deviceId, holder }) {
          const device = await store.findDevice(deviceId);
          for (const { id, content } of held.get(holder) ?? []) {
            await store.deliver({ deviceId, holder, ids: [id] });
            if (device === null) continue;
            const text = {
              direction: "to_device",
              content,
              now: 0,
              nonce: null,
              nonceLife: 0,
              queueLimit: 100,
            } as const;
            await store.append({ ...device, ...text });
          }
        },
      };
    }),
  },
  {
    fault: "everybody holds in the same name",
    found: ["teleprinter take: delivering passes over what the holder does not hold"],
    spoil: override("teleprinter", (store) => ({
      take: (take) => store.take({ ...take, holder: "everybody" }),
      deliver: (delivery) => store.deliver({ ...delivery, holder: "everybody" }),
      requeue: (release) => store.requeue({ ...release, holder: "everybody" }),
    })),
  },
  {
    fault: "a hold has no end",
    found: ["teleprinter take: held texts are free again when their time is over"],
    spoil: override("teleprinter", (store) => ({
      take: (take) => store.take({ ...take, until: Number.MAX_SAFE_INTEGER }),
    })),
  },
  {
    fault: "a renewal does nothing",
    found: ["teleprinter take: renewed texts are held until their new end"],
    spoil: override("teleprinter", () => ({ renew: () => Promise.resolve() })),
  },
  {
    fault: "a renewal moves the end of everything that was taken",
    found: ["teleprinter take: texts that are not renewed are free when their time is over"],
    spoil: override("teleprinter", (store) => {
      const ids: number[] = [];
      return {
        async take(take) {
          const taken = await store.take(take);
          if (taken.outcome === "taken") ids.push(...taken.messages.map(({ id }) => id));
          return taken;
        },
        renew: (renewal) => store.renew({ ...renewal, ids }),
      };
    }),
  },
  {
    fault: "who puts texts back keeps none",
    found: ["teleprinter take: who puts texts back can keep some"],
    spoil: override("teleprinter", (store) => ({
      requeue: ({ deviceId, holder }) => store.requeue({ deviceId, holder }),
    })),
  },
  {
    fault: "a renewal puts back, and takes again",
    found: ["teleprinter take: renewing passes over what the holder does not hold"],
    spoil: override("teleprinter", (store) => ({
      async renew({ deviceId, holder, until }) {
        const device = await store.findDevice(deviceId);
        if (device === null) return;
        const { owner } = device;
        await store.take({ deviceId, owner, holder, limit: 1000, now: until - 1, until });
      },
    })),
  },
  {
    fault: "a renewal takes texts away from who holds them now",
    found: ["teleprinter take: when a hold ends, a text is renewed or taken by one of 10 polls, not both"],
    spoil: override("teleprinter", (store) => {
      const firsts = new Map<number, string>();
      const holders = new Map<number, string>();
      const renewed = new Set<string>();
      return {
        async take(take) {
          const taken = await store.take(take);
          for (const { id } of taken.outcome === "taken" ? taken.messages : []) {
            holders.set(id, take.holder);
            firsts.set(id, firsts.get(id) ?? take.holder);
          }
          return taken;
        },
        renew({ holder }) {
          renewed.add(holder);
          return Promise.resolve();
        },
        async deliver({ deviceId, holder, ids }) {
          const marked = ids.map((id) => {
            const isTakenAway = renewed.has(holder) && firsts.get(id) === holder;
            return store.deliver({ deviceId, holder: isTakenAway ? (holders.get(id) ?? holder) : holder, ids: [id] });
          });
          return (await Promise.all(marked)).flat();
        },
      };
    }),
  },
  {
    fault: "acknowledging marks what somebody holds",
    found: [
      "teleprinter acknowledge: acknowledging leaves alone what somebody holds, until its time is over",
      "teleprinter acknowledge: no text is both taken and acknowledged",
    ],
    spoil: override("teleprinter", (store) => ({
      acknowledge: (ack) => store.acknowledge({ ...ack, now: Number.MAX_SAFE_INTEGER }),
    })),
  },
  {
    fault: "the newest id is that of all devices",
    found: ["teleprinter acknowledge: an id of another device is above the newest"],
    spoil: override("teleprinter", (store) => ({
      async acknowledge(ack) {
        const acknowledged = await store.acknowledge(ack);
        if (acknowledged.outcome !== "above_newest") return acknowledged;
        return store.acknowledge({ ...ack, upTo: acknowledged.newest });
      },
    })),
  },
  {
    fault: "a record that was handed out is marked afterwards",
    found: ["storage: records that were handed out never change"],
    spoil: override("teleprinter", (store) => {
      const records: DeviceMessageRecord[] = [];
      return {
        async take(take) {
          const taken = await store.take(take);
          if (taken.outcome === "taken") records.push(...taken.messages);
          return taken;
        },
        deliver(delivery) {
          for (const record of records) Object.assign(record, { delivered: true });
          return store.deliver(delivery);
        },
      };
    }),
  },
];
