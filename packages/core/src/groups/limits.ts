export const groupsLimits = {
  /** Chat rooms that are kept, with their members. */
  roomCacheEntries: 1000,
};

export interface GroupsLimits extends Readonly<typeof groupsLimits> {}
