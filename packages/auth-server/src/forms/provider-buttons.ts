import type { Flow } from "../providers/flows.ts";
import type { Providers } from "../providers/providers.ts";
import { html, type Html } from "./html.ts";
import type { Visit } from "./visit.ts";

/**
 * The buttons of other providers. They are within a form, and submit its values. Null without providers.
 * @param purpose why the person goes there
 */
export function providerButtons(
  { list }: Pick<Providers, "list">,
  { texts }: Pick<Visit, "texts">,
  purpose: Flow["purpose"],
): Html | null {
  if (list.length === 0) return null;
  const buttons = list.map(
    ({ id, name }) =>
      html`<button name="provider" value="${id}" formaction="/user/providers?for=${purpose}" formnovalidate>
        ${texts.provider.button(name)}
      </button>`,
  );
  return html`<p class="hint or">${texts.provider.or}</p>
    ${buttons}`;
}
