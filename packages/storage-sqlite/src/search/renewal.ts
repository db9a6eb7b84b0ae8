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

  /** Some of them. */
  list(): readonly MessageRecord[] {
    return this.#sql.outdated.all();
  }

  /** How many there are, if there are not more than `most`. */
  count(most: number): number {
    return this.#sql.count.only(most);
  }

  /** Renews a message, unless its content is another one now, or its terms are just being put into a block. Only in a transaction. */
  renew({ groupId, seq, id, content, fresh }: RenewedMessage): void {
    if (fresh !== null && this.#index.isMovingTerms(groupId)) return;
    const { pinyin = null, nicknamePinyin = null } = fresh ?? {};
    const isRenewed = this.#sql.renew(pinyin, nicknamePinyin, groupId, seq, id, content) > 0;
    if (isRenewed && fresh !== null) this.#index.addTerms(groupId, seq, fresh.terms);
  }
}
