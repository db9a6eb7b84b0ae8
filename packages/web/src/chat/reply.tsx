import { useLayoutEffect, useRef } from "preact/hooks";
import { useChat } from "./context.ts";

/** Replaces nodes from the first difference on, so that the text above stays selectable while the rest arrives. */
function draw(box: HTMLElement, made: DocumentFragment): void {
  const next = [...made.childNodes];
  const same = next.findIndex((node, index) => box.childNodes[index]?.isEqualNode(node) !== true);
  const from = same === -1 ? next.length : same;
  while (box.childNodes.length > from) box.lastChild?.remove();
  box.append(...next.slice(from));
}

/** Renders the Markdown of a model safely. */
export function Reply({ text }: { readonly text: string }) {
  const render = useChat().render.value;
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (box.current !== null && render !== null) draw(box.current, render(text));
  }, [text, render]);
  return <div class="reply" dir="auto" ref={box} />;
}
