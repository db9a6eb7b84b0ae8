/**
 * The reason of a failed sign-in. `unavailable`: the provider does not answer. `refused`: its answer is wrong. `denied`: it said no. `ended`: the
 * flow is unknown, used or too old. `forbidden`: the person is in no domain or group that may enter. `unknown`: no account has the identity,
 * and none may be opened. `taken`: another account has it. `linked`: the account has another identity of this provider. `changed`: the
 * person who is signed in is not the one who began.
 */
export type ProviderFailureReason =
  | "unavailable"
  | "refused"
  | "denied"
  | "ended"
  | "forbidden"
  | "unknown"
  | "taken"
  | "linked"
  | "changed";

/** A sign-in with a provider that failed. Its cause is for the log. */
export class ProviderFailure extends Error {
  override readonly name = "ProviderFailure";
  readonly reason: ProviderFailureReason;

  constructor(reason: ProviderFailureReason, cause?: unknown) {
    super(`A sign-in with another provider failed: ${reason}.`, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}
