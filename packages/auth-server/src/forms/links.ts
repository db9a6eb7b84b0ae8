import type { FormAnswer } from "@telex/http";
import { field, form, submit } from "./look/fields.ts";
import { heading } from "./look/page.ts";
import type { Visit } from "./visit.ts";

/** The secret in a text that a person pasted: the whole address of a link, or its part after `#`. */
export const secretIn = (text: string | undefined = ""): string => text.slice(text.lastIndexOf("#") + 1).trim();

/** The page that a link opens. Its script passes the fragment on; without scripts, people paste their link. */
interface LinkPage {
  readonly path: string;
  readonly title: string;
  readonly lead?: string;
  /** True if the script submits the page when it has the secret. */
  readonly submitsItself: boolean;
  /** Default: to continue. */
  readonly button?: string;
}

/** Asks for the secret of a link. */
export function askForLink(
  { texts, address, write }: Visit,
  { path, title, lead, submitsItself, button = texts.goOn }: LinkPage,
): FormAnswer {
  const line = { name: "secret", label: texts.link, hint: texts.linkHint, autocomplete: "off" } as const;
  const content = form(
    { action: address(path), submitsItself },
    field({ ...line, isSecret: true, isFirst: true }),
    submit(button),
  );
  return write({ title, content: [heading(title, lead ?? null), content] });
}
