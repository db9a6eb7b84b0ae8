import { signal, type Signal } from "@preact/signals";
import { type ComponentChildren, type ComponentProps, createContext } from "preact";
import { useContext, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { CountMark } from "../lists/count-badge.tsx";
import "../../styles/sections.css";

interface SectionedProps extends Omit<ComponentProps<"main">, "class" | "id" | "title"> {
  /** The class of the page. */
  readonly look: string;
  readonly title: string;
  /** The links to the sections: on the left in a wide window, above the content in a narrow one. */
  readonly nav: ComponentChildren;
  /** Content below the sections, hidden in a narrow window. */
  readonly foot?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A page with links to its sections on the left. */
export const Sectioned = ({ look, title, nav, foot, children, ...attributes }: SectionedProps) => (
  <main {...attributes} id="content" tabIndex={-1} class={`sectioned ${look}`}>
    <div class="choosing">
      <h1>{title}</h1>
      {nav}
      {foot}
    </div>
    <div class="content">{children}</div>
  </main>
);

/** A section in the page. */
interface Listed {
  readonly id: string;
  readonly title: string;
  readonly count: number | undefined;
  readonly element: Element;
}

type List = Signal<readonly Listed[]>;

const SectionsContext = createContext<List | null>(null);

const isBefore = (a: Element, b: Element): boolean =>
  (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;

/** Lists a section while it is mounted, in the order of the page. */
function useListed(id: string, title: string, count: number | undefined) {
  const list = useContext(SectionsContext);
  const box = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const element = box.current;
    if (list === null || element === null) return undefined;
    const others = list.peek().filter((one) => one.id !== id);
    const index = others.findIndex((one) => isBefore(element, one.element));
    list.value = others.toSpliced(index === -1 ? others.length : index, 0, { id, title, count, element });
    return () => {
      list.value = list.peek().filter((one) => one.id !== id);
    };
  }, [list, id, title, count]);
  return box;
}

interface SectionProps {
  readonly title: string;
  /** The number of items in the section. */
  readonly count?: number | undefined;
  readonly children: ComponentChildren;
}

/** A section of the page, with its heading. */
export function Section({ title, count, children }: SectionProps) {
  const id = useId();
  const box = useListed(id, title, count);
  return (
    <section ref={box} id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </section>
  );
}

/** The first visible section. */
function useCurrent(listed: readonly Listed[]): string | null {
  const [current, setCurrent] = useState<string | null>(null);
  useEffect(() => {
    const seen = new Set<Element>();
    const observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) seen[isIntersecting ? "add" : "delete"](target);
      const first = listed.find(({ element }) => seen.has(element));
      if (first !== undefined) setCurrent(first.id);
    });
    for (const { element } of listed) observer.observe(element);
    return () => observer.disconnect();
  }, [listed]);
  return current ?? listed[0]?.id ?? null;
}

function SectionLinks({ list, label }: { readonly list: List; readonly label: string }) {
  const current = useCurrent(list.value);
  return (
    <nav class="sections" aria-label={label}>
      {list.value.map(({ id, title, count }) => (
        // With a target, the browser itself follows the link.
        <a key={id} href={`#${id}`} target="_self" aria-current={id === current ? "true" : undefined}>
          {title}
          {count !== undefined && <CountMark count={count} />}
        </a>
      ))}
    </nav>
  );
}

/** A page of sections, which its navigation lists. */
export function SectionsPage({ title, children, ...page }: Omit<SectionedProps, "nav">) {
  const list = useMemo<List>(() => signal([]), []);
  return (
    <SectionsContext.Provider value={list}>
      <Sectioned {...page} title={title} nav={<SectionLinks list={list} label={title} />}>
        {children}
      </Sectioned>
    </SectionsContext.Provider>
  );
}
