/** The 74 characters of an image text, from dark to bright (interface 4.3). */
export const charset = " ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-,%()+/:='?";

/** The codes of {@link charset}, by level. */
export const levelCodes: Uint8Array = new TextEncoder().encode(charset);

/** The code of the darkest character, a space. */
export const darkest = 0x20;

/** The code of the brightest character, `?`. */
export const brightest = 0x3f;
