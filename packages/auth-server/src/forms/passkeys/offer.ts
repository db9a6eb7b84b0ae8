import type { Visit } from "../visit.ts";
import { html, type Html } from "../html.ts";

/** How a form offers a passkey instead of a password. */
interface PasskeyOffer {
  /** Make a new one, or use one. */
  readonly way: "create" | "get";
  /** The part of the address below `/external/api/v1/account/` that gives options. */
  readonly options: string;
  /** The names of the fields that the options depend on. */
  readonly sends?: readonly string[];
  /** True if the browser lists its passkeys at the line of the username. */
  readonly isListed?: boolean;
  readonly label: string;
  /** The id of a passkey that was not accepted: the browser forgets it. */
  readonly forget?: string | null;
}

/** A key, as the pages draw it. */
const key = html`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
  <path d="M13 3.5a3.5 3.5 0 1 1 0 7a3.5 3.5 0 0 1 0-7zM10.5 9.5 3.5 16.5M5.5 14.5l2 2" />
</svg>`;

/** A button that needs the script of passkeys, which shows it. Nothing if browsers have no passkeys for this server. */
export function passkeyOffer(
  { texts: { passkey: texts }, rpId }: Visit,
  { way, options, sends = [], isListed = false, label, forget = null }: PasskeyOffer,
): Html | null {
  if (rpId === null) return null;
  return html`<div
    class="stack"
    data-passkey="${way}"
    data-rp="${rpId}"
    data-options="/external/api/v1/account/${options}"
    data-sends="${sends.join(" ")}"
    data-failed="${texts.failed}"
    ${isListed && html` data-list`}${forget !== null && html` data-forget="${forget}"`}
    hidden
  >
    <p class="or">${texts.or}</p>
    <p class="alert" role="alert" hidden></p>
    <button type="button" class="wide">${key}${label}</button>
    <input type="hidden" name="passkey" />
  </div>`;
}
