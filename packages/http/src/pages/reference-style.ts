/** The style sheet of the page. */
export const style = `
:root { color-scheme: light dark; --ink: light-dark(#1c2330, #dde3ee); --soft: light-dark(#5b6678, #93a0b5);
  --line: light-dark(#dfe4ec, #2b3444); --paper: light-dark(#fff, #12161e); --tint: light-dark(#f4f6fa, #1a202b);
  --get: light-dark(#0b6e4f, #58c79f); --post: light-dark(#1d4fa8, #7fb0ff); }
* { box-sizing: border-box; }
body { margin: 0; font: 15px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
header, main { max-width: 60rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 2.5rem; }
h1 { margin: 0; font-size: 1.9rem; letter-spacing: -.02em; }
h2 { margin: 2.5rem 0 0; font-size: 1.2rem; }
h3 { margin: 1.1rem 0 .3rem; font-size: .8rem; color: var(--soft); text-transform: uppercase; letter-spacing: .06em; }
p { margin: .3rem 0 .8rem; color: var(--soft); max-width: 44rem; }
nav { display: flex; flex-wrap: wrap; gap: 0 1rem; }
a { color: var(--post); text-decoration: none; }
a:hover { text-decoration: underline; }
code, pre { font: 13px/1.5 ui-monospace, monospace; }
code { overflow-wrap: anywhere; }
pre { margin: 0; padding: .7rem .9rem; background: var(--tint); border-radius: .4rem; overflow-x: auto; }
details { border: 1px solid var(--line); border-radius: .5rem; margin: .5rem 0; }
summary { display: flex; gap: .8rem; align-items: baseline; padding: .55rem .8rem; cursor: pointer; flex-wrap: wrap; }
summary:hover, details[open] > summary { background: var(--tint); }
summary > * { min-width: 0; }
summary span { color: var(--soft); }
.get, .post, .patch, .delete { font-weight: 700; min-width: 3rem; color: var(--get); }
.post, .patch, .delete { color: var(--post); }
.body { padding: 0 .9rem 1rem; }
table { border-collapse: collapse; width: 100%; }
td { padding: .35rem .8rem .35rem 0; border-top: 1px solid var(--line); vertical-align: top; }
td:first-child { white-space: nowrap; }
footer { max-width: 60rem; margin: 3rem auto; padding: 0 1.25rem; color: var(--soft); }
`;
