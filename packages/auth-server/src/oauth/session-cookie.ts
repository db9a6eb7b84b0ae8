/** The cookie that the session of Telex replaces. Browsers never get it. */
export const sessionCookie = "telex-provider";

/** True for the cookie of the provider's session, in either header. */
export const isSession = (cookie: string): boolean => cookie.startsWith(`${sessionCookie}=`);
