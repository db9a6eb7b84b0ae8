import { type BrokenStorage, override } from "./spoil.ts";

/** Wrong stores of plain records. */
export const brokenRecords: readonly BrokenStorage[] = [
  {
    fault: "a list of records begins again after a key that is no record's",
    found: ["records: a list goes on after any key"],
    spoil: override("records", (store) => ({
      list: (kind, page) => store.list(kind, page.limit === 1 ? { ...page, after: null } : page),
    })),
  },
  {
    fault: "counters are not moved",
    found: [
      "records: records come back unchanged, by key, also after a restart",
      "records: no id that was ever given is given again, also after a restart",
    ],
    spoil: override("records", (store) => ({
      put: (kind, records) => (kind === "counters" ? Promise.resolve() : store.put(kind, records)),
    })),
  },
  {
    fault: "a record that is there already is left as it is",
    found: ["records: what differs is put in place of what was there"],
    spoil: override("records", (store) => ({
      async put(kind, records) {
        if ((await store.count(kind)) === 0 || kind === "counters") await store.put(kind, records);
      },
    })),
  },
  {
    fault: "only what waits is known of a device",
    found: ["records: records come back unchanged, by key, also after a restart"],
    spoil: override("records", (store) => ({
      async list(kind, page) {
        const records = await store.list(kind, page);
        return records.filter((record) => !("delivered" in record) || !record.delivered);
      },
    })),
  },
];
