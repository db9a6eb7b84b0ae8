const hour = 3_600_000;
const day = 24 * hour;

/** How long sessions and links live, in milliseconds. */
export const lives = {
  /** Of a session whose person stays signed in, without use. */
  stay: 30 * day,
  /** Of any session. */
  session: 180 * day,
  /** Of the knowledge that an account has signed in from a network. */
  seen: 30 * day,
  /** Of the knowledge that an account has signed in from a browser. */
  browser: 180 * day,
  setup: day,
  /** Of a link of the demo. */
  direct: day,
  recovery: day,
  invitation: 7 * day,
  ticket: 60_000,
  /** Of a request for a passkey. */
  challenge: 600_000,
  /** After which a change of passwords or tokens asks for the password. */
  confirmation: 600_000,
  /** After which a change as an admin asks for the password. */
  adminConfirmation: hour,
} as const;
