import type { Storage, storageParts } from "@telex/core/storage";

/** A call of a verb, on its way to the store. */
export interface StoreCall {
  readonly part: (typeof storageParts)[number];
  readonly verb: string;
  /** Lets the call continue. */
  readonly run: () => Promise<unknown>;
}

/** Decides how a call is answered. */
export type Around = (call: StoreCall) => Promise<unknown>;

const interceptPart = <Part extends object>(part: StoreCall["part"], store: Part, around: Around): Part =>
  new Proxy(store, {
    get(target, property): unknown {
      const member: unknown = Reflect.get(target, property);
      if (typeof member !== "function") return member;
      return (...args: unknown[]): Promise<unknown> =>
        around({
          part,
          verb: String(property),
          run: async (): Promise<unknown> => (await Reflect.apply(member, target, args)) as unknown,
        });
    },
  });

/** The same storage, with every call of a verb through `around`. */
export const intercept = (storage: Storage, around: Around): Storage => ({
  teleprinter: interceptPart("teleprinter", storage.teleprinter, around),
  pairings: interceptPart("pairings", storage.pairings, around),
  bots: interceptPart("bots", storage.bots, around),
  ai: interceptPart("ai", storage.ai, around),
  bucket: interceptPart("bucket", storage.bucket, around),
  users: interceptPart("users", storage.users, around),
  accounts: interceptPart("accounts", storage.accounts, around),
  grants: interceptPart("grants", storage.grants, around),
  keys: interceptPart("keys", storage.keys, around),
  tokens: interceptPart("tokens", storage.tokens, around),
  groups: interceptPart("groups", storage.groups, around),
  messages: interceptPart("messages", storage.messages, around),
  leases: interceptPart("leases", storage.leases, around),
  changes: interceptPart("changes", storage.changes, around),
  records: interceptPart("records", storage.records, around),
  durable: storage.durable,
  probe: () => storage.probe(),
  close: () => storage.close(),
});
