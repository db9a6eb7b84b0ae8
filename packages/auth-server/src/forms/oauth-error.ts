import type { FormAnswer } from "@telex/http";
import { html } from "./html.ts";
import { heading, writePage } from "./look/page.ts";
import { formTexts } from "./texts/texts.ts";

/**
 * The page for a wrong request of an application, whose answer cannot be sent anywhere else.
 * @param language `zh` or another one
 */
export function oauthErrorPage(baseUrl: string, language: string | false, description: string): FormAnswer {
  const locale = language === "zh" ? "zh-CN" : "en";
  const { refused: title } = formTexts(locale);
  const content = [heading(title), html`<p role="alert">${description}</p>`];
  return writePage({ locale, query: new URLSearchParams(), title, host: new URL(baseUrl).host, content });
}
