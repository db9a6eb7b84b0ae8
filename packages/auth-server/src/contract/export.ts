/** The route of the export of one's own data. */
export const exportRoute = { method: "GET", path: "/external/api/v1/account/export", response: "stream" } as const;
