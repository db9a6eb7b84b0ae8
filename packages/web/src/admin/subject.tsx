import type { ComponentChildren, ComponentProps } from "preact";
import { useApp, useFormat, useTexts } from "../app/context.ts";
import { useOpened } from "../app/opened.ts";
import { adminPath } from "../app/route.ts";
import { Danger } from "../ui/actions/danger.tsx";
import { Fetched, type FetchedState } from "./parts/fetched.tsx";
import { Portrait, PortraitEditor } from "./portrait.tsx";
import { useAdminTexts } from "./texts/texts.ts";

/** A user or a room in lists and on its page. */
interface Subject {
  readonly kind: "personal" | "group";
  readonly id: number;
  readonly avatar: string | null;
  readonly name: string;
  /** Distinguishes the subject from others with the same name. */
  readonly about: string;
}

/** A row of a list that links to the page of its subject. */
export const SubjectRow = ({ href, name, about, ...portrait }: Subject & { readonly href: string }) => (
  <li>
    <a class="row" href={href}>
      <Portrait {...portrait} size={40} />
      <span class="name" dir="auto">
        {name}
      </span>
      <span class="hint">{about}</span>
    </a>
  </li>
);

interface SubjectHeadProps extends Subject, Omit<ComponentProps<typeof PortraitEditor>, "avatar"> {
  readonly createdAt: string;
}

/** The heading of the page of a subject. */
export function SubjectHead({ name, about, createdAt, onFile, onRemove, ...portrait }: SubjectHeadProps) {
  const texts = useAdminTexts();
  const format = useFormat();
  useOpened(`${name} · ${useTexts().admin}`);
  return (
    <header class="subject">
      <Portrait {...portrait} size={72} />
      <div>
        <h2 dir="auto">{name}</h2>
        <p class="hint">
          {about} · {texts.addedOn(format.day(Date.parse(createdAt)))}
        </p>
        <PortraitEditor avatar={portrait.avatar} onFile={onFile} onRemove={onRemove} />
      </div>
    </header>
  );
}

interface RemoveSubjectProps {
  /** The list that the subject belongs to. It is shown after the removal. */
  readonly section: "users" | "rooms";
  readonly name: string;
  readonly onRemove: () => Promise<unknown>;
  /** Other actions that end something. */
  readonly children?: ComponentChildren;
}

/** Removes a subject after a confirmation. */
export function RemoveSubject({ section, name, onRemove, children }: RemoveSubjectProps) {
  const { router } = useApp();
  const { [section]: texts } = useAdminTexts();
  const remove = async (): Promise<string> => {
    await onRemove();
    router.go(adminPath(section), "replace");
    return texts.removed(name);
  };
  const question = { label: texts.remove, title: texts.removeTitle(name), lead: texts.removeLead };
  return (
    <div class="end actions">
      {children}
      <Danger {...question} work={remove} />
    </div>
  );
}

interface SubjectPageProps<T> {
  /** The list that the subject belongs to. */
  readonly up: { readonly href: string; readonly name: string };
  readonly from: FetchedState<T>;
  readonly children: (subject: T) => ComponentChildren;
}

export function SubjectPage<T>({ up, from, children }: SubjectPageProps<T>) {
  return (
    <article>
      <a class="up" href={up.href}>
        {up.name}
      </a>
      <Fetched from={from}>{children}</Fetched>
    </article>
  );
}
