const link = /https?:\/\/[^\s<>"]{1,300}/g;

/** Maximum codes on one receipt, so that a text full of links does not empty the roll. */
const maxLinks = 3;

/** A full stop or a bracket after a link is not part of it. */
const tail = /[.,;:!?)\]}'，。；：！？）」』】]{1,10}$/;

/** The links of a text as addresses in ASCII, each once. */
export function linksOf(text: string): readonly string[] {
  const urls = Array.from(text.matchAll(link), ([whole]) => URL.parse(whole.replace(tail, "")));
  return [...new Set(urls.flatMap((url) => (url === null ? [] : [url.href])))].slice(0, maxLinks);
}
