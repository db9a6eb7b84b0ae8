type TransferFault = "target_not_empty" | "other_transfer" | "invalid_record" | "damaged_file" | "differs";

/** A transfer that cannot continue. Its message is a complete sentence for the person at the terminal. */
export class TransferError extends Error {
  override readonly name = "TransferError";
  /** The fault, as a word. */
  readonly fault: TransferFault;

  constructor(fault: TransferFault, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.fault = fault;
  }
}
