type TransferFault = "target_not_empty" | "other_transfer" | "invalid_record" | "damaged_file" | "differs";

/** A transfer that cannot go on. Its message is a whole sentence for the person at the keyboard. */
export class TransferError extends Error {
  override readonly name = "TransferError";
  /** The fault, as a word. */
  readonly fault: TransferFault;

  constructor(fault: TransferFault, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.fault = fault;
  }
}
