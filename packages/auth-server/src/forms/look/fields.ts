import { html, type Html, type Part } from "../html.ts";
import type { FormTexts } from "../texts/type.ts";

/** A line of a form. */
interface Line {
  /** Also the id of its element. */
  readonly name: string;
  readonly label: string;
  readonly autocomplete: "username" | "username webauthn" | "nickname" | "current-password" | "new-password" | "off";
  /** Shown again after a mistake. A password never is. */
  readonly value?: string | undefined;
  /** Hidden while the line has an error, which says more. */
  readonly hint?: string | undefined;
  /** The error of the value. */
  readonly error?: string | undefined;
  /** The word of the button that shows a password, and its name for screen readers. */
  readonly show?: FormTexts["show"];
  /** It may stay empty. */
  readonly isOptional?: boolean;
  /** Takes the focus when the page opens. A line with an error does so anyway. */
  readonly isFirst?: boolean;
  readonly isFixed?: boolean;
  /** True for the line that takes the secret of a link. */
  readonly isSecret?: boolean;
}

/** The words below a line. */
const words = ({ name, hint, error }: Line) => {
  if (error !== undefined) return { id: `${name}-error`, className: "error", text: error };
  return hint === undefined ? null : { id: `${name}-hint`, className: "hint", text: hint };
};

function describedBy(line: Line): Html | null {
  const below = words(line);
  return below === null ? null : html` aria-describedby="${below.id}"`;
}

const input = (line: Line): Html => {
  const { name, autocomplete, value = "", isOptional, isFirst, isFixed, isSecret, error, show } = line;
  const type = show === undefined ? "text" : "password";
  return html`<input
    type="${type}"
    id="${name}"
    name="${name}"
    value="${value}"
    autocomplete="${autocomplete}"
    autocapitalize="none"
    spellcheck="false"
    ${describedBy(line)}${error !== undefined && html` aria-invalid="true"`}${isOptional !== true && html` required`}${(isFirst === true || error !== undefined) && html` autofocus`}${isFixed === true && html` readonly`}${isSecret === true && html` data-secret`}
  />`;
};

/** A line with its label, its error, and a hint. */
export const field = (line: Line): Html => {
  const { name, label, show } = line;
  const below = words(line);
  const button =
    show !== undefined &&
    html`<button type="button" class="link" data-show="${name}" aria-pressed="false" aria-label="${show.name}" hidden>
      ${show.word}
    </button>`;
  return html`<div class="field">
    <div class="label"><label for="${name}">${label}</label>${button}</div>
    ${input(line)}${below !== null && html`<p class="${below.className}" id="${below.id}">${below.text}</p>`}
  </div>`;
};

/** A box to tick, with a hint. */
export const checkbox = (name: string, label: string, hint: string, isChecked: boolean): Html =>
  html`<label class="check"
    ><input type="checkbox" name="${name}" value="1" ${isChecked && html` checked`} /><span
      >${label}<span class="hint">${hint}</span></span
    ></label
  >`;

/** A hidden value of the form. */
export const hidden = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}" />`;

/** The error of the whole form. */
export const alert = (text: string | undefined): Html | null =>
  text === undefined ? null : html`<p class="alert" role="alert">${text}</p>`;

/** The main button. */
export const submit = (label: string): Html => html`<button class="primary">${label}</button>`;

interface Form {
  /** The address that takes the fields. */
  readonly action: string;
  /** True if the script submits the form when it has filled in the secret of the link. */
  readonly submitsItself?: boolean;
}

/** A form that posts its fields. */
export const form = ({ action, submitsItself = false }: Form, ...parts: readonly Part[]): Html =>
  html`<form method="post" action="${action}" ${submitsItself && html` data-submit`}>
    ${parts.map((part) => html`${part}`)}
  </form>`;
