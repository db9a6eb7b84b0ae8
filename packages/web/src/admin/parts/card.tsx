import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface CardProps {
  readonly title: string;
  /** The buttons at its end. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Card({ title, actions, children }: CardProps) {
  const id = useId();
  return (
    <section class="card" aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {children}
      {actions && <div class="actions">{actions}</div>}
    </section>
  );
}
