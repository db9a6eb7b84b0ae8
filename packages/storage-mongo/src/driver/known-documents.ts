import type { Db, Document, FindOptions } from "mongodb";
import type { CollectionName, DocumentId, Documents } from "./documents.ts";
import type { Assumptions } from "./assumptions.ts";
import type { ListOptions, Reads } from "./transaction.ts";

/** The known documents of each collection, by the text of their id. */
type KnownDocuments<Names extends CollectionName = CollectionName> = {
  [Name in Names]?: Map<string, Documents[Name] | null>;
};

const knownOf = <Name extends CollectionName>(
  documents: KnownDocuments<Name>,
  name: Name,
): Map<string, Documents[Name] | null> => (documents[name] ??= new Map<string, Documents[Name] | null>());

/** Documents that a transaction has read or written, by collection and id. Null: there is no such document. */
export class Known {
  #documents: KnownDocuments = {};

  get<Name extends CollectionName>(name: Name, id: DocumentId): Documents[Name] | null | undefined {
    return this.#documents[name]?.get(JSON.stringify(id));
  }

  set<Name extends CollectionName>(name: Name, id: DocumentId, document: Documents[Name] | null): void {
    knownOf(this.#documents, name).set(JSON.stringify(id), document);
  }

  clear(): void {
    this.#documents = {};
  }
}

/** Reads within a transaction or a snapshot, given by `within`. Each document is read once. */
export function createReads(
  db: Db,
  within: Pick<FindOptions, "session" | "readConcern">,
  known: Known,
  assumptions: Pick<Assumptions, "add">,
): Reads {
  const query = async <Name extends CollectionName>(
    name: Name,
    filter: Document,
    options: ListOptions = {},
  ): Promise<Documents[Name][]> => {
    const documents = await db
      .collection(name)
      .find<Documents[Name]>(filter, { ...options, ...within })
      .toArray();
    for (const document of documents) known.set(name, document._id, document);
    return documents;
  };
  return {
    list: query,
    async find(name, id) {
      const before = known.get(name, id);
      if (before !== undefined) return before;
      const [document = null] = await query(name, { _id: id });
      known.set(name, id, document);
      return document;
    },
    async load(refs) {
      const ids = new Map<CollectionName, DocumentId[]>();
      for (const ref of refs) {
        const { name, id } = ref;
        if (known.get(name, id) !== undefined) continue;
        const guess = assumptions.add(ref);
        known.set(name, id, guess ?? null);
        if (guess === undefined) ids.set(name, [...(ids.get(name) ?? []), id]);
      }
      for (const [name, wanted] of ids) await query(name, { _id: { $in: wanted } });
    },
  };
}
