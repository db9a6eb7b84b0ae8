/** Milliseconds without a key after which a search begins. */
export const typingPause = 150;
