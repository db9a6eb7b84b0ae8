/** An open connection to a printer. */
export interface PrinterLink {
  /** Resolves when the bytes are written; rejects if the connection has ended. */
  write(bytes: Uint8Array): Promise<void>;
  /** Calls back with each byte that the printer sends. */
  onByte(heard: (byte: number) => void): void;
  /** Ends the output. Resolves when the other side has closed too; rejects if the connection was reset, or does not end in time. */
  finish(): Promise<void>;
  /** Cuts the connection. */
  destroy(): void;
  /** Resolves with the reason when the connection has ended. */
  readonly ended: Promise<string>;
  /** True if bytes of the printer can arrive. */
  readonly hasAnswers: boolean;
}

/** A place where a printer is. */
export interface PrinterPort {
  /** @throws Error with a message for a person, if the printer cannot be reached */
  open(): Promise<PrinterLink>;
}
