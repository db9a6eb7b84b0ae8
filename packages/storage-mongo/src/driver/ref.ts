import type { CollectionName, DocumentId } from "./documents.ts";

/** A document by its id. */
export interface Ref {
  readonly name: CollectionName;
  readonly id: DocumentId;
  /**
   * The first attempt uses this guess instead of reading the document: it does not exist (`absent`), or it is as this server last wrote it
   * (`kept`). After a wrong guess, nothing is committed, and the verb runs again on the stored document.
   */
  readonly guess?: "absent" | "kept";
}
