import { html, type Html } from "../html.ts";

/** The picture of a person or a room. */
export const face = (address: string): Html => html`<img class="face" src="${address}" alt="" />`;
