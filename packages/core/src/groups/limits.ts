/** The limits of the cache of chat rooms, with their defaults. */
export const groupsLimits = {
  /** Chat rooms that are kept, with their members. */
  roomCacheEntries: 1000,
};

/** The type of {@link groupsLimits}, by name. */
export interface GroupsLimits extends Readonly<typeof groupsLimits> {}
