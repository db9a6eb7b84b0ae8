/** Milliseconds between the last key and the start of a search. */
export const typingPause = 150;
