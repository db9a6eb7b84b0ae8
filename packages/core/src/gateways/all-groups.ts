import type { GroupRecord } from "../records/groups.ts";

/** A store that lists chat rooms in pages, by id. */
export interface ListsGroups {
  listGroups(page: { readonly after: number; readonly limit: number }): Promise<readonly GroupRecord[]>;
}

/** The chat rooms of an installation by id, in pages of at most `limit`. */
export async function* pagesOfGroups(
  groups: ListsGroups,
  limit = 1000,
): AsyncGenerator<readonly GroupRecord[], void, undefined> {
  let page = await groups.listGroups({ after: 0, limit });
  for (let last = page.at(-1); last !== undefined; last = page.at(-1)) {
    yield page;
    page = page.length < limit ? [] : await groups.listGroups({ after: last.groupId, limit });
  }
}
