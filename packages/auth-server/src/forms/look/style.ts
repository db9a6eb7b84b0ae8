const dark = `--desk:#121411;--desk-lit:#2e2a1f;--surface:#1c1f1a;--desk-edge:#31352e;--on-desk:#dfdac9;--on-desk-quiet:#a3a294;--paper:#bcaf93;--paper-edge:#a4977c;--ink:#14110b;--ink-pale:#4a4232;--ribbon:#6f0a08;--carbon:#0c3670;--carbon-desk:#9cc4f5;--shadow:0 1px 2px rgb(0 0 0/50%),0 12px 40px rgb(0 0 0/45%)`;

/** The style sheet of the forms. Its colours are those of the pages of `@telex/web`; a test compares them. */
export const style = `
:root{color-scheme:light dark;--face:ui-monospace,"Cascadia Mono","Noto Sans Mono CJK SC",monospace;--prose:-apple-system,"Segoe UI",Roboto,"Noto Sans","PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif;--small:.8125rem;--text:.9375rem;--large:1.25rem;--bold:600;--radius:6px;--desk:#d6d7ce;--desk-lit:#dedfd7;--surface:#e6e7e0;--desk-edge:#b9bbb0;--on-desk:#22241f;--on-desk-quiet:#51554b;--paper:#fcf8ed;--paper-edge:#efe7d4;--ink:#1c1a16;--ink-pale:#6b6557;--ribbon:#a21d16;--carbon:#1b4f93;--carbon-desk:#1b4f93;--shadow:0 1px 2px rgb(60 48 24/18%),0 8px 24px rgb(60 48 24/12%)}
@media (prefers-color-scheme:dark){:root:not([data-theme=light]){${dark}}}
:root[data-theme=light]{color-scheme:light}
:root[data-theme=dark]{color-scheme:dark;${dark}}
*,::before,::after{box-sizing:border-box}
html{min-height:100%;background:radial-gradient(ellipse at 50% 40%,var(--desk-lit),var(--desk) 60%) fixed var(--desk);color:var(--on-desk);-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{display:grid;grid-template-rows:auto 1fr;min-height:100vh;min-height:100dvh;margin:0;font:400 var(--text)/1.6 var(--prose);text-autospace:normal}
h1,h2,p,ul,fieldset{margin:0;padding:0;border:0;font:inherit;min-width:0}
ul{list-style:none}
a{color:inherit;text-underline-offset:3px;text-decoration-thickness:1px}
h1,h2{font:var(--bold) var(--large)/1.75rem var(--face);overflow-wrap:anywhere}
header{display:flex;justify-content:end;gap:4px;padding:6px 12px}
header a{display:grid;place-items:center;min-width:44px;min-height:44px;padding:4px 8px;color:var(--on-desk-quiet);font-size:var(--small)}
:focus-visible{outline:2px solid var(--carbon);outline-offset:2px}
header :focus-visible{outline-color:var(--carbon-desk)}
main{display:grid;padding:12px 12px 48px}
.slip{display:grid;grid-template-columns:minmax(0,1fr);gap:16px;width:min(100%,28rem);margin:auto;padding:24px;background:var(--paper);color:var(--ink);color-scheme:light;box-shadow:var(--shadow);overflow-wrap:anywhere}
.tape{display:block;width:calc(100% + 48px);height:auto;margin:-24px -24px 0}
.tape path{fill:none;stroke:var(--ink);stroke-linecap:round}
.tape .strip{fill:var(--paper-edge);stroke:none}
.tape .holes{stroke-width:7}
.tape .guides{stroke-width:3}
.brand{font:var(--bold) var(--large)/1.5rem var(--face);letter-spacing:.2em;text-transform:uppercase}
.brand small{display:block;color:var(--ribbon);font-size:var(--small);font-weight:400;line-height:1.25rem;letter-spacing:.04em;text-transform:none}
.hint,.small{font-size:var(--small);line-height:1.25rem}
.hint{color:var(--ink-pale)}
form,.stack{display:grid;grid-template-columns:minmax(0,1fr);gap:16px}
.field{display:grid;gap:4px}
.label{display:flex;align-items:end;justify-content:space-between;gap:12px}
label,.label{font-weight:var(--bold)}
button,input{font:inherit;color:inherit}
input[type=text],input[type=password]{width:100%;min-height:44px;padding:4px 12px;border:1px solid var(--ink-pale);border-radius:var(--radius);background:transparent;font-size:1rem}
input[readonly]{border-style:dashed}
input[aria-invalid]{border-color:var(--ribbon);box-shadow:inset 3px 0 var(--ribbon)}
.error{color:var(--ribbon);font-size:var(--small);line-height:1.25rem}
.alert{padding:8px 12px;border-inline-start:3px solid var(--ribbon);background:color-mix(in srgb,var(--ribbon) 8%,transparent);color:var(--ribbon);font-size:var(--small);line-height:1.25rem}
.check{display:flex;gap:12px;padding-block:4px;font-weight:400}
.check input{flex:none;width:20px;height:20px;margin:2px 0 0;accent-color:var(--ink)}
.check .hint{display:block}
button,.button{display:inline-flex;align-items:center;justify-content:center;min-height:44px;padding:4px 12px;border:1px solid var(--ink-pale);border-radius:var(--radius);background:none;color:inherit;font-size:var(--text);font-weight:var(--bold);text-decoration:none;cursor:pointer;touch-action:manipulation}
button:hover,.button:hover{background:color-mix(in srgb,currentcolor 9%,transparent)}
.primary{border-color:var(--ink);background:var(--ink);color:var(--paper)}
.primary:hover{background:color-mix(in srgb,var(--ink) 86%,var(--paper))}
.wide{width:100%;gap:8px}
.icon{flex:none;width:20px;height:20px;fill:none;stroke:currentcolor;stroke-width:1.5;stroke-linecap:round;stroke-linejoin:round}
.or{display:flex;align-items:center;gap:12px;color:var(--ink-pale);font-size:var(--small)}
.or::before,.or::after{content:"";flex:1;border-top:1px solid var(--ink-pale)}
legend{padding:0;font-weight:var(--bold)}
.link{min-height:24px;padding:0;border:0;font-size:var(--small);font-weight:400;text-decoration:underline;text-underline-offset:3px}
.link:hover{background:none}
.into{display:grid;gap:8px;padding:12px;border:1px dashed var(--ink-pale)}
.into li{display:flex;align-items:center;gap:8px;font-weight:var(--bold)}
.by{display:flex;align-items:center;gap:12px}
.face{flex:none;width:40px;height:40px;border-radius:var(--radius);background:var(--paper-edge)}
.into .face{width:32px;height:32px}
[hidden]{display:none!important}
@media (max-width:30rem){.slip{padding:24px 16px}.tape{width:calc(100% + 32px);margin:-24px -16px 0}}
@media (forced-colors:active){.slip,button,.button{border:1px solid}}
`;
