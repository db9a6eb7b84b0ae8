/** How a model names a message. */
const reference = /\[#(\d{1,16})\]/g;

/** Keeps the references to these messages in a text of a model. Others are removed, because a model may invent them. */
export const keepReferences = (text: string, ids: ReadonlySet<number>): string =>
  text.replaceAll(/ ?\[#(\d{1,16})\]/g, (written, id: string) => (ids.has(Number(id)) ? written : ""));

/** The messages that a text names as `[#id]`, each once, in their order. */
export const referencesIn = (text: string): readonly number[] => [
  ...new Set([...text.matchAll(reference)].map(([, id]) => Number(id))),
];
