/** Milliseconds to wait for the response of a call that the server answers immediately. */
export const patience = 30_000;
