/** Where HTTP takes the picture of one's own account. */
export const avatarRoute = { method: "POST", path: "/external/api/v1/account/avatar" } as const;
