/** Milliseconds by which the clocks of two servers, or of two members of a replica set, may differ. */
export const skew = 5000;
