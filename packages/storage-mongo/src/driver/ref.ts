import type { CollectionName, DocumentId } from "./documents.ts";

/** A document by its id. */
export interface Ref {
  readonly name: CollectionName;
  readonly id: DocumentId;
  /**
   * What the first attempt supposes instead of reading the document: that there is none (`absent`), or that it is as this server
   * has written it last (`kept`). If that is wrong, nothing is committed, and the verb runs again on what is there.
   */
  readonly guess?: "absent" | "kept";
}
