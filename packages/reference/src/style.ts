/** Colours and type of Telex's pages, as variables of Scalar. */
export const style = `
body { margin: 0; background: #e6e7e0; color: #22241f; }
noscript p { margin: 2rem; font: 1rem/1.5 system-ui, sans-serif; }
.light-mode, .dark-mode {
  --scalar-font: -apple-system, "Segoe UI", Roboto, "Noto Sans", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif;
  --scalar-font-code: ui-monospace, "Cascadia Mono", "Noto Sans Mono CJK SC", monospace;
  --scalar-radius: 6px; --scalar-radius-lg: 6px; --scalar-radius-xl: 6px;
}
.light-mode {
  --scalar-background-1: #fcf8ed; --scalar-background-2: #f4efe0; --scalar-background-3: #e8e1cd;
  --scalar-background-accent: #a21d1614;
  --scalar-color-1: #1c1a16; --scalar-color-2: #51493c; --scalar-color-3: #6b6557;
  --scalar-color-accent: #a21d16; --scalar-border-color: #dcd3bb;
  --scalar-color-green: #1f6b3a; --scalar-color-red: #a21d16; --scalar-color-yellow: #7a5a00;
  --scalar-color-blue: #1b4f93; --scalar-color-orange: #93481b; --scalar-color-purple: #6b3a7a;
  --scalar-button-1: #2b302c; --scalar-button-1-color: #faf5e9; --scalar-button-1-hover: #414b45;
}
.dark-mode {
  --scalar-background-1: #171a16; --scalar-background-2: #1f231e; --scalar-background-3: #2b3029;
  --scalar-background-accent: #e9877f1f;
  --scalar-color-1: #e4dfce; --scalar-color-2: #bdb8a8; --scalar-color-3: #a3a294;
  --scalar-color-accent: #ef9d92; --scalar-border-color: #343a33;
  --scalar-color-green: #7fcf9a; --scalar-color-red: #f0958b; --scalar-color-yellow: #e3c36d;
  --scalar-color-blue: #a9cdf7; --scalar-color-orange: #e8ad7d; --scalar-color-purple: #cfa7dd;
  --scalar-button-1: #d9ccb0; --scalar-button-1-color: #17140f; --scalar-button-1-hover: #c9bb9c;
}
.light-mode .sidebar, .light-mode .t-doc__sidebar {
  --scalar-sidebar-background-1: #e6e7e0; --scalar-sidebar-color-1: #22241f; --scalar-sidebar-color-2: #51554b;
  --scalar-sidebar-border-color: #d0d2c8; --scalar-sidebar-color-active: #98170f;
  --scalar-sidebar-item-hover-background: #d9dbd1; --scalar-sidebar-item-active-background: #d9dbd1;
  --scalar-sidebar-search-background: #fcf8ed; --scalar-sidebar-search-border-color: #c4c6bb;
}
.dark-mode .sidebar, .dark-mode .t-doc__sidebar {
  --scalar-sidebar-background-1: #121411; --scalar-sidebar-color-1: #dfdac9; --scalar-sidebar-color-2: #a3a294;
  --scalar-sidebar-border-color: #31352e; --scalar-sidebar-color-active: #ef9d92;
  --scalar-sidebar-item-hover-background: #1f231e; --scalar-sidebar-item-active-background: #1f231e;
  --scalar-sidebar-search-background: #1f231e; --scalar-sidebar-search-border-color: #3d433b;
}
`;
