import type { MessageRecord, RenewedMessage } from "@telex/core/storage";
import type { Database } from "../engine/database.ts";
import { prepareOutdated } from "../sql/messages.ts";
import type { SearchIndex } from "./search-index.ts";

/** Messages that an earlier version has stored. */
export class SqliteRenewal {
  readonly #sql: ReturnType<typeof prepareOutdated>;
  readonly #index: SearchIndex;

  constructor(database: Database, index: SearchIndex) {
    this.#sql = prepareOutdated(database);
    this.#index = index;
  }

  list(): readonly MessageRecord[] {
    return this.#sql.outdated.all();
  }

  /** Their number, but at most `most`. */
  count(most: number): number {
    return this.#sql.count.only(most);
  }

  /** Renews a message, unless its content has changed or its terms are being moved into a block. Only call it in a transaction. */
  renew({ groupId, seq, id, content, fresh }: RenewedMessage): void {
    if (fresh !== null && this.#index.isMovingTerms(groupId)) return;
    const { pinyin = null, nicknamePinyin = null } = fresh ?? {};
    const isRenewed = this.#sql.renew(pinyin, nicknamePinyin, groupId, seq, id, content) > 0;
    if (isRenewed && fresh !== null) this.#index.addTerms(groupId, seq, fresh.terms);
  }
}
