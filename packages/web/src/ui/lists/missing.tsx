interface MissingProps {
  readonly title: string;
  readonly lead: string;
  readonly back: string;
  readonly backLabel: string;
}

/** Replaces a device or conversation that does not exist. */
export const Missing = ({ title, lead, back, backLabel }: MissingProps) => (
  <section class="blank">
    <h2>{title}</h2>
    <p>{lead}</p>
    <a class="button" href={back}>
      {backLabel}
    </a>
  </section>
);
