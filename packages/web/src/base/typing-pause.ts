/** A search starts when nothing has been typed for this time, in milliseconds. */
export const typingPause = 150;
