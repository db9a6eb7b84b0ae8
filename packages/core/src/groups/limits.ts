/** The limits of the cache of chat rooms. */
export interface GroupsLimits {
  /** Chat rooms that are kept, with their members. */
  readonly roomCacheEntries: number;
}

/** The default of each limit. */
export const groupsLimits: GroupsLimits = {
  roomCacheEntries: 1000,
};
