/** The route that takes the picture of one's own account. */
export const avatarRoute = { method: "POST", path: "/external/api/v1/account/avatar" } as const;

/** The route that takes the picture of a hook of a room. */
export const hookAvatarRoute = {
  method: "POST",
  path: "/external/api/v1/im/groups/:groupId/hooks/:id/avatar",
} as const;

/** The route that takes the picture of a room. */
export const roomAvatarRoute = { method: "POST", path: "/external/api/v1/im/groups/:groupId/avatar" } as const;
