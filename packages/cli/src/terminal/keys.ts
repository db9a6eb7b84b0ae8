/**
 * Aborts when a person presses `q` or Ctrl-C. On a terminal, keys arrive without Enter until the result is disposed; otherwise
 * stdin stays untouched.
 */
export function untilKey(): Disposable & { readonly signal: AbortSignal } {
  const { stdin } = process;
  const pressed = new AbortController();
  const read = (bytes: Buffer): void => {
    // In raw mode, Ctrl-C is a character instead of a signal.
    const keys = bytes.toString();
    if (keys.includes("q") || keys.includes("\u0003")) pressed.abort();
  };
  if (stdin.isTTY) stdin.setRawMode(true).on("data", read);
  return {
    signal: pressed.signal,
    [Symbol.dispose]() {
      if (stdin.isTTY) stdin.off("data", read).setRawMode(false).pause();
    },
  };
}
