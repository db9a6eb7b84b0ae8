/** The cookie in whose place the session of Telex stands. Browsers never get it. */
export const sessionCookie = "telex-provider";

/** True for the cookie of the provider's session, in either header. */
export const isSession = (cookie: string): boolean => cookie.startsWith(`${sessionCookie}=`);
