/** Handles `submit` of a form without leaving the page. */
export const submits =
  (work: () => void) =>
  (event: Event): void => {
    event.preventDefault();
    work();
  };
