import { type BrokenStorage, meanwhile, override } from "./spoil.ts";

/** Wrong stores of device generations. */
export const brokenGenerations: readonly BrokenStorage[] = [
  {
    fault: "a generation ends with its device",
    found: ["device generations: releasing raises the generation, which outlives the device"],
    spoil: override("teleprinter", (store) => ({
      findGeneration: async (deviceId) =>
        (await store.findDevice(deviceId)) === null ? 0 : store.findGeneration(deviceId),
    })),
  },
  {
    fault: "pairing is claiming",
    found: [
      "device generations: pairing a free ID claims it and raises its generation",
      "device generations: pairing one's own device again raises its generation, and keeps name, model and texts",
      "changes: who holds an ID is a change, and so is its generation",
    ],
    spoil: override("teleprinter", (store) => ({ pairDevice: (claim) => store.claimDevice(claim) })),
  },
  {
    fault: "pairing again begins with an empty device",
    found: [
      "device generations: pairing one's own device again raises its generation, and keeps name, model and texts",
    ],
    spoil: override("teleprinter", (store) => ({
      async pairDevice(claim) {
        await store.releaseDevice(claim);
        return store.pairDevice(claim);
      },
    })),
  },
  {
    fault: "pairing takes a device from its holder",
    found: ["device generations: another user's device cannot be paired, and keeps its generation"],
    spoil: override("teleprinter", (store) => ({
      async pairDevice(claim) {
        const device = await store.findDevice(claim.deviceId);
        return store.pairDevice(device === null ? claim : { ...claim, owner: device.owner });
      },
    })),
  },
  {
    fault: "pairing looks first and writes later",
    found: ["device generations: of 20 owners that pair a free ID simultaneously exactly one gets it"],
    spoil: override("teleprinter", (store) => ({
      async pairDevice(claim) {
        const known = await store.findDevice(claim.deviceId);
        await meanwhile();
        const holder = await store.findDevice(claim.deviceId);
        if (known === null && holder !== null) await store.releaseDevice(holder);
        return store.pairDevice(claim);
      },
    })),
  },
  {
    fault: "a generation is read first and written later",
    found: ["device generations: of 20 pairings of one device every one raises its generation"],
    spoil: override("teleprinter", (store) => {
      let generation = 0;
      return {
        async pairDevice(claim) {
          const before = generation;
          await meanwhile();
          generation = before + 1;
          return store.pairDevice(claim);
        },
        findGeneration: () => Promise.resolve(generation),
      };
    }),
  },
];
