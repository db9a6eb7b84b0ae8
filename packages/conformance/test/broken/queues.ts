import type { DeviceMessageRecord } from "@telex/core/storage";
import { withLatency } from "../../src/support/latency.ts";
import { type BrokenStorage, meanwhile, override } from "./spoil.ts";

const everything = { before: null, limit: 10_000 } as const;

/** Wrong stores of texts that wait for a device. */
export const brokenQueues: readonly BrokenStorage[] = [
  {
    fault: "calls overtake each other",
    found: [
      "teleprinter append: ids rise in the order of the calls",
      "messages: ids and positions rise in the order of the calls, without holes in a room",
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
    fault: "a nonce names one text whatever its client says",
    found: [
      "teleprinter append: a nonce that is used again as new names its newest text",
      "teleprinter append: a nonce that may name the same text is a repeat only with its content",
    ],
    spoil: override("teleprinter", (store) => ({
      append: ({ nonceReuse: _reuse, ...append }) => store.append(append),
    })),
  },
  {
    fault: "the queue is counted first and filled later",
    found: ["teleprinter append: of 20 simultaneous texts, a queue with room for 5 takes exactly 5"],
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
    fault: "texts that have expired take places in the queue",
    found: ["teleprinter append: expired texts do not count against the limit of a queue"],
    spoil: override("teleprinter", (store) => ({
      async append(append) {
        const page = await store.page({ ...append, ...everything });
        const waiting = page.outcome === "page" ? page.messages.filter(({ delivered }) => !delivered) : [];
        const isFull = append.direction === "to_device" && waiting.length >= append.queueLimit;
        return store.append(isFull ? { ...append, queueLimit: 0 } : append);
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
      "teleprinter take: 10 simultaneous polls want the same texts, and one gets them",
      "teleprinter take: a queue has one holder, whatever it has taken",
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
    fault: "a holder has only the texts that it has taken",
    found: ["teleprinter take: a queue has one holder, whatever it has taken"],
    spoil: override("teleprinter", (store) => {
      const newest = new Map<string, number>();
      return {
        async take(take) {
          const taken = await store.take(take);
          if (taken.outcome === "taken") newest.set(take.deviceId, taken.messages.at(-1)?.id ?? 0);
          if (taken.outcome !== "held") return taken;
          const page = await store.page({ ...take, ...everything });
          const last = newest.get(take.deviceId) ?? 0;
          const messages = page.outcome === "page" ? page.messages.filter(({ id }) => id > last).toReversed() : [];
          return { outcome: "taken", messages };
        },
      };
    }),
  },
  {
    fault: "who holds is looked up first and written later",
    found: [
      "teleprinter take: 10 simultaneous polls want the same texts, and one gets them",
      "teleprinter take: 10 simultaneous connections want an empty queue, and one keeps it",
    ],
    spoil: override("teleprinter", (store) => {
      const holders = new Map<string, string>();
      return {
        async take(take) {
          const holder = holders.get(take.deviceId) ?? take.holder;
          if (holder !== take.holder) return { outcome: "held", holder };
          await meanwhile();
          holders.set(take.deviceId, take.holder);
          const shown = await store.acknowledge({ ...take, upTo: 0 });
          return shown.outcome === "acknowledged" ? { outcome: "taken", messages: shown.messages } : store.take(take);
        },
      };
    }),
  },
  {
    fault: "an empty queue cannot be held",
    found: ["teleprinter take: an empty queue is held only by one who keeps it"],
    spoil: override("teleprinter", (store) => ({ take: (take) => store.take({ ...take, keep: false }) })),
  },
  {
    fault: "every poll holds an empty queue",
    found: ["teleprinter take: an empty queue is held only by one who keeps it"],
    spoil: override("teleprinter", (store) => ({ take: (take) => store.take({ ...take, keep: true }) })),
  },
  {
    fault: "a hold that is put back can still deliver",
    found: ["teleprinter take: a holder that another one has put back can no longer mark or renew"],
    spoil: override("teleprinter", (store) => ({
      async deliver(delivery) {
        const device = await store.findDevice(delivery.deviceId);
        if (device !== null) await store.take({ ...device, ...delivery, limit: 1, keep: true, now: 0, until: 1 });
        return store.deliver(delivery);
      },
    })),
  },
  {
    fault: "the last delivery ends no hold",
    found: ["teleprinter take: a holder that delivers the last texts can end its hold with them"],
    spoil: override("teleprinter", (store) => ({ deliver: (delivery) => store.deliver({ ...delivery, ends: false }) })),
  },
  {
    fault: "what is put back goes to the end of the queue",
    found: ["teleprinter take: texts that are put back are in their old position"],
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
    found: ["teleprinter take: only the holder delivers"],
    spoil: override("teleprinter", (store) => ({
      take: (take) => store.take({ ...take, holder: "everybody" }),
      deliver: (delivery) => store.deliver({ ...delivery, holder: "everybody" }),
      requeue: (release) => store.requeue({ ...release, holder: "everybody" }),
    })),
  },
  {
    fault: "a hold has no end",
    found: ["teleprinter take: a queue is free again when the time of its holder is over"],
    spoil: override("teleprinter", (store) => ({
      take: (take) => store.take({ ...take, until: Number.MAX_SAFE_INTEGER }),
    })),
  },
  {
    fault: "a renewal does nothing",
    found: ["teleprinter take: a renewed hold lasts until its new end"],
    spoil: override("teleprinter", () => ({ renew: () => Promise.resolve(true) })),
  },
  {
    fault: "a renewal takes the queue",
    found: ["teleprinter take: only the holder renews"],
    spoil: override("teleprinter", (store) => ({
      async renew({ deviceId, holder, until }) {
        const device = await store.findDevice(deviceId);
        if (device === null) return false;
        const taken = await store.take({ ...device, holder, limit: 1, keep: true, now: until - 1, until });
        return taken.outcome === "taken";
      },
    })),
  },
  {
    fault: "a renewal takes the queue away from who holds it now",
    found: [
      "teleprinter take: when a hold ends, it is renewed or one of 10 polls takes, not both",
      "teleprinter take: only the holder renews",
    ],
    spoil: override("teleprinter", (store) => {
      const holders = new Map<string, string[]>();
      return {
        async take(take) {
          const taken = await store.take(take);
          if (taken.outcome === "taken")
            holders.set(take.deviceId, [...(holders.get(take.deviceId) ?? []), take.holder]);
          return taken;
        },
        async renew({ deviceId, holder, until }) {
          if (holders.get(deviceId)?.includes(holder) !== true) return false;
          await meanwhile();
          const device = await store.findDevice(deviceId);
          for (const one of holders.get(deviceId) ?? [])
            if (one !== holder) await store.requeue({ deviceId, holder: one });
          if (device !== null) await store.take({ ...device, holder, limit: 1, keep: true, now: until - 1, until });
          return true;
        },
      };
    }),
  },
  {
    fault: "acknowledging marks what somebody holds",
    found: [
      "teleprinter acknowledge: a held queue is neither acknowledged nor shown, until the time of its holder is over",
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
