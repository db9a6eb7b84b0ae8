import { useLayoutEffect, useRef } from "preact/hooks";
import { useChat } from "./context.ts";

/** Replaces the nodes from the first that is another one on: what stays can be selected while the rest is written. */
function draw(box: HTMLElement, made: DocumentFragment): void {
  const next = [...made.childNodes];
  const same = next.findIndex((node, index) => box.childNodes[index]?.isEqualNode(node) !== true);
  const from = same === -1 ? next.length : same;
  while (box.childNodes.length > from) box.lastChild?.remove();
  box.append(...next.slice(from));
}

/** The Markdown of a model, made safe. */
export function Reply({ text }: { readonly text: string }) {
  const render = useChat().render.value;
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (box.current !== null && render !== null) draw(box.current, render(text));
  }, [text, render]);
  return <div class="reply" dir="auto" ref={box} />;
}
