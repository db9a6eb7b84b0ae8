/** Handles `submit` of a form: the page stays, and does this. */
export const submits =
  (work: () => void) =>
  (event: Event): void => {
    event.preventDefault();
    work();
  };
