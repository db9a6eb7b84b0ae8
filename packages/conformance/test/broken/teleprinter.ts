import type { DeviceMessageRecord } from "@telex/core/storage";
import { type BrokenStorage, meanwhile, override } from "./spoil.ts";

const everything = { before: null, limit: 10_000 } as const;

/** Wrong stores of devices. */
export const brokenDevices: readonly BrokenStorage[] = [
  {
    fault: "claiming looks first and writes later",
    found: ["teleprinter: of 20 owners that claim a free ID simultaneously exactly one gets it"],
    spoil: override("teleprinter", (store) => ({
      async claimDevice(claim) {
        const known = await store.findDevice(claim.deviceId);
        if (known !== null && known.owner !== claim.owner) return { outcome: "taken" };
        await meanwhile();
        const holder = await store.findDevice(claim.deviceId);
        if (holder !== null && holder.owner !== claim.owner) await store.releaseDevice(holder);
        return store.claimDevice(claim);
      },
    })),
  },
  {
    fault: "devices are counted before they are written",
    found: ["teleprinter: simultaneous claims and pairings give an owner no more devices than the limit"],
    spoil: override("teleprinter", (store) => ({
      async claimDevice({ deviceLimit, ...claim }) {
        const held = await store.listDevices(claim.owner);
        const isHeld = held.some(({ deviceId }) => deviceId === claim.deviceId);
        await meanwhile();
        return isHeld || held.length < (deviceLimit ?? Infinity) ? store.claimDevice(claim) : { outcome: "full" };
      },
    })),
  },
  {
    fault: "a device that is claimed without a room loses the one that it has",
    found: [
      "teleprinter rooms: a device keeps its room when it is claimed or renamed without one, until it is claimed with another or with none",
    ],
    spoil: override("teleprinter", (store) => ({
      claimDevice: (claim) => store.claimDevice({ ...claim, room: claim.room ?? null }),
    })),
  },
  {
    fault: "a device that is claimed without tags loses those that it has",
    found: ["teleprinter reports: a device keeps its tags until it is claimed with others"],
    spoil: override("teleprinter", (store) => ({
      claimDevice: (claim) => store.claimDevice({ ...claim, tags: claim.tags ?? [] }),
    })),
  },
  {
    fault: "a change writes the fields that it has read",
    found: ["teleprinter reports: simultaneous changes of different fields are all kept"],
    spoil: override("teleprinter", (store) => ({
      async amendDevice({ change, ...key }) {
        const before = await store.findDevice(key.deviceId);
        await meanwhile();
        const { name = "", program = null, can = [], fault = null, faultAt = null } = before ?? {};
        return store.amendDevice({ ...key, change: { name, program, can, fault, faultAt, ...change } });
      },
    })),
  },
  {
    fault: "devices that no longer print a room are listed",
    found: ["teleprinter rooms: the printers of a room are listed by ID, and only while they print it"],
    spoil: override("teleprinter", (store) => {
      const listed = new Map<number, Set<string>>();
      return {
        async listPrinters(groupId) {
          const known = listed.get(groupId) ?? new Set<string>();
          listed.set(groupId, known);
          for (const { deviceId } of await store.listPrinters(groupId)) known.add(deviceId);
          const found = await Promise.all(
            Array.from(known)
              .toSorted()
              .map((deviceId) => store.findDevice(deviceId)),
          );
          return found.flatMap((device) => (device === null ? [] : [device]));
        },
      };
    }),
  },
  {
    fault: "texts of a room are not marked",
    found: ["teleprinter rooms: texts of a room are marked, and can be left out of a page"],
    spoil: override("teleprinter", (store) => ({ append: (append) => store.append({ ...append, room: false }) })),
  },
  {
    fault: "a sign of life moves lastSeen back",
    found: ["teleprinter: a sign of life moves lastSeen forward, never back, and ends away"],
    spoil: override("teleprinter", (store) => ({
      async touchDevice(touch) {
        const touched = await store.touchDevice(touch);
        if (touched.outcome !== "touched") return touched;
        return { ...touched, device: { ...touched.device, lastSeen: touch.now } };
      },
    })),
  },
  {
    fault: "an owner is not looked at",
    found: ["teleprinter: every verb refuses a user who does not hold the device, and changes nothing"],
    spoil: override("teleprinter", (store) => ({
      async leaveDevice({ deviceId }) {
        const device = await store.findDevice(deviceId);
        return device === null ? { outcome: "missing" } : store.leaveDevice(device);
      },
    })),
  },
  {
    fault: "texts count as waiting after they were delivered",
    found: ["teleprinter append: texts that wait for all devices are counted, held ones included"],
    spoil: override("teleprinter", (store) => {
      let delivered = 0;
      return {
        async deliver(delivery) {
          const ids = await store.deliver(delivery);
          delivered += ids.length;
          return ids;
        },
        countQueued: async () => (await store.countQueued()) + delivered,
      };
    }),
  },
  {
    fault: "a release keeps the messages for the next holder",
    found: ["teleprinter: releasing deletes messages and nonces"],
    spoil: override("teleprinter", (store) => {
      const kept = new Map<string, readonly DeviceMessageRecord[]>();
      return {
        async releaseDevice(key) {
          const page = await store.page({ ...key, ...everything });
          if (page.outcome === "page") kept.set(key.deviceId, page.messages.toReversed());
          return store.releaseDevice(key);
        },
        async claimDevice(claim) {
          const claimed = await store.claimDevice(claim);
          for (const { direction, content } of kept.get(claim.deviceId) ?? []) {
            await store.append({
              ...claim,
              room: false,
              direction,
              content,
              nonce: null,
              nonceLife: 0,
              queueLimit: 10_000,
            });
          }
          return claimed;
        },
      };
    }),
  },
  {
    fault: "ids begin again after a release",
    found: ["teleprinter: ids are never given again, not even after a release"],
    spoil: override("teleprinter", (store) => ({
      async append(append) {
        const appended = await store.append(append);
        const page = await store.page({ ...append, ...everything });
        if (appended.outcome !== "appended" || page.outcome !== "page") return appended;
        return { ...appended, message: { ...appended.message, id: page.messages.length } };
      },
    })),
  },
];
