const admin = "/external/api/v1/admin";

/** The HTTP paths of the operations. */
export const recentPaths = { trends: `${admin}/trends`, devices: `${admin}/present`, audit: `${admin}/audit` } as const;
