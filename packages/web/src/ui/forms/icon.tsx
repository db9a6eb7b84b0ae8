const shapes = {
  back: "M12 4 6 10l6 6",
  bell: "M5 14h10l-1.5-2V9a3.5 3.5 0 0 0-7 0v3zM9 16.5h2",
  bellOff: "M5 14h10l-1.5-2V9a3.5 3.5 0 0 0-7 0v3zM9 16.5h2M4 4l12 12",
  clip: "M13.5 6.5 8 12a1.8 1.8 0 0 0 2.5 2.5l6-6a3.6 3.6 0 0 0-5-5l-6.5 6.5",
  close: "M5 5l10 10M15 5 5 15",
  down: "M10 4v11m-5-5 5 5 5-5",
  more: "M10 4.5v.01M10 10v.01M10 15.5v.01",
  picture: "M3 4h14v12H3zM3 13l4-4 4 4 2-2 4 4M13 8v.01",
  plus: "M10 4v12M4 10h12",
  search: "M8.5 3.5a5 5 0 1 1 0 10a5 5 0 0 1 0-10zM12.2 12.2 17 17",
  unfold: "M5 8l5 5 5-5",
  settings: "M4 6h7m5 0h0M4 14h0m5 0h7M13.5 3.5v5M6.5 11.5v5",
} as const;

/** The name of a drawing. */
export type Shape = keyof typeof shapes;

/** A drawing next to words, or on a button whose name says the same: screen readers skip it. */
export function Icon({ shape }: { readonly shape: Shape }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d={shapes[shape]} />
    </svg>
  );
}
