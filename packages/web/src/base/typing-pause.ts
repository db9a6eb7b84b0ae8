/** How long typing must pause before a search starts, in milliseconds. */
export const typingPause = 150;
