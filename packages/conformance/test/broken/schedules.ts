import { type BrokenStorage, meanwhile, override } from "./spoil.ts";

const everybody = Number.MAX_SAFE_INTEGER;

/** Wrong stores of texts that expire, and of texts that are sent later. */
export const brokenSchedules: readonly BrokenStorage[] = [
  {
    fault: "texts never expire",
    found: [
      "teleprinter lives: a text that has expired is neither taken nor returned",
      "teleprinter lives: texts that expired before a moment end, at most as many as asked, and no longer wait",
    ],
    spoil: override("teleprinter", (store) => ({ append: (append) => store.append({ ...append, expiresAt: null }) })),
  },
  {
    fault: "everything up to an id is marked, also a text that expired unseen",
    found: [
      "teleprinter lives: a text that expired on its way counts if it is acknowledged",
      "teleprinter lives model: a long random run with a restart answers as a plain list does, seed 1",
    ],
    spoil: override("teleprinter", (store) => ({
      async acknowledge({ now, ...ack }) {
        if (ack.upTo > 0) await store.acknowledge({ ...ack, now: 0 });
        return store.acknowledge({ ...ack, now });
      },
    })),
  },
  {
    fault: "texts that are given up count as delivered",
    found: [
      "teleprinter lives: texts that are given up have failed",
      "teleprinter lives model: a long random run with a restart answers as a plain list does, seed 1",
    ],
    spoil: override("teleprinter", (store) => ({
      deliver: ({ ended: _ended, ...delivery }) => store.deliver(delivery),
      acknowledge: ({ failedIds = [], ids = [], ...ack }) => store.acknowledge({ ...ack, ids: [...ids, ...failedIds] }),
    })),
  },
  {
    fault: "a single id marks all below it",
    found: [
      "teleprinter lives: single ids are acknowledged, also above texts that wait",
      "teleprinter lives model: a long random run with a restart answers as a plain list does, seed 1",
    ],
    spoil: override("teleprinter", (store) => ({
      acknowledge: ({ ids = [], ...ack }) =>
        store.acknowledge({ ...ack, upTo: Math.max(ack.upTo, ...ids.slice(0, 1)) }),
    })),
  },
  {
    fault: "no text is more urgent than another",
    found: [
      "teleprinter lives: the most urgent texts come first on request, and ids rise among equals",
      "teleprinter lives model: a long random run with a restart answers as a plain list does, seed 1",
    ],
    spoil: override("teleprinter", (store) => ({
      take: ({ order: _order, ...asked }) => store.take(asked),
      acknowledge: ({ order: _order, ...ack }) => store.acknowledge(ack),
    })),
  },
  {
    fault: "a schedule is looked up first and ended later",
    found: ["teleprinter schedules: the text of a schedule is stored once, and ends the schedule"],
    spoil: override("teleprinter", (store) => ({
      async append({ scheduleId = null, ...append }) {
        if (scheduleId === null) return store.append(append);
        const listed = await store.listSchedules(append);
        const isThere = listed.outcome === "schedules" && listed.schedules.some(({ id }) => id === scheduleId);
        if (!isThere) return { outcome: "unscheduled" };
        await meanwhile();
        const appended = await store.append(append);
        await store.unschedule({ ...append, id: scheduleId });
        return appended;
      },
    })),
  },
  {
    fault: "schedules are counted before they are written",
    found: ["teleprinter schedules: simultaneous schedules give a device and an owner no more than their limits"],
    spoil: override("teleprinter", (store) => ({
      async schedule(schedule) {
        const listed = await store.listSchedules(schedule);
        await meanwhile();
        if (listed.outcome === "schedules" && listed.schedules.length >= schedule.deviceLimit)
          return { outcome: "full" };
        return store.schedule({ ...schedule, deviceLimit: everybody, ownerLimit: everybody });
      },
    })),
  },
  {
    fault: "what is not due is listed as well",
    found: [
      "teleprinter schedules: due texts are listed by time, over all devices, and no others",
      "teleprinter lives model: a long random run with a restart answers as a plain list does, seed 1",
    ],
    spoil: override("teleprinter", (store) => ({ listDue: (due) => store.listDue({ ...due, now: everybody }) })),
  },
];
