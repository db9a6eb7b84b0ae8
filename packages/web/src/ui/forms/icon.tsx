const shapes = {
  archive: "M3 4h14v4H3zM4.5 8v8h11V8M8 11h4",
  back: "M12 4 6 10l6 6",
  bell: "M5 14h10l-1.5-2V9a3.5 3.5 0 0 0-7 0v3zM9 16.5h2",
  bellOff: "M5 14h10l-1.5-2V9a3.5 3.5 0 0 0-7 0v3zM9 16.5h2M4 4l12 12",
  clip: "M13.5 6.5 8 12a1.8 1.8 0 0 0 2.5 2.5l6-6a3.6 3.6 0 0 0-5-5l-6.5 6.5",
  chat: "M4 4h12v9H9l-4 3v-3H4z",
  check: "M4 10.5l4 4 8-9",
  close: "M5 5l10 10M15 5 5 15",
  copy: "M7 7h9v9H7zM13 7V4H4v9h3",
  down: "M10 4v11m-5-5 5 5 5-5",
  leave: "M11 4H4v12h7M8.5 10H17m-3-3 3 3-3 3",
  link: "M8.5 11.5a3 3 0 0 0 4.2 0l3-3a3 3 0 0 0-4.2-4.2L10.3 5.5M11.5 8.5a3 3 0 0 0-4.2 0l-3 3a3 3 0 0 0 4.2 4.2l1.2-1.2",
  more: "M10 4.5v.01M10 10v.01M10 15.5v.01",
  pencil: "M4 16l.8-3.4L13 4.4l2.6 2.6-8.2 8.2zM11.5 6l2.5 2.5",
  people:
    "M7.5 4a3 3 0 1 1 0 6a3 3 0 0 1 0-6zM2.5 16c.4-3 2.3-4.5 5-4.5s4.6 1.5 5 4.5M13 4.3a3 3 0 0 1 0 5.4M14.5 11.8c1.8.6 2.7 2 3 4.2",
  person: "M10 3.5a3.2 3.2 0 1 1 0 6.4a3.2 3.2 0 0 1 0-6.4zM4 16.5c.5-3.2 2.7-4.8 6-4.8s5.5 1.6 6 4.8",
  pin: "M8 3.5h5l-.8 5 2.3 2.5H6.5l2.3-2.5zM10.4 11v6",
  picture: "M3 4h14v12H3zM3 13l4-4 4 4 2-2 4 4M13 8v.01",
  plus: "M10 4v12M4 10h12",
  reply: "M8 5 3.5 9.5 8 14M4 9.5h7a5 5 0 0 1 5 5v1",
  save: "M10 3v9m-4-4 4 4 4-4M4 16h12",
  search: "M8.5 3.5a5 5 0 1 1 0 10a5 5 0 0 1 0-10zM12.2 12.2 17 17",
  share: "M10 12V3m-3 3 3-3 3 3M5 10v7h10v-7",
  smile: "M10 3a7 7 0 1 1 0 14a7 7 0 0 1 0-14zM7 11.5a3.4 3.4 0 0 0 6 0M7.7 8v.01M12.3 8v.01",
  trash: "M4 6h12M8 6V4h4v2M6 6l.7 10.5h6.6L14 6M8.7 9v5M11.3 9v5",
  unfold: "M5 8l5 5 5-5",
  settings: "M4 6h7m5 0h0M4 14h0m5 0h7M13.5 3.5v5M6.5 11.5v5",
} as const;

export type Shape = keyof typeof shapes;

/** A decorative icon, which screen readers ignore. */
export const Icon = ({ shape }: { readonly shape: Shape }) => (
  <svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
    <path d={shapes[shape]} />
  </svg>
);
