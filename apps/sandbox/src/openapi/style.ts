/** Style of the docs page. */
export const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --get: #1a7f37; --post: #9a5b00; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 1.5rem; font: 15px/1.5 system-ui, sans-serif; }
h1 { margin: 0; font-size: 1.6rem; }
h2 { margin: 2rem 0 .5rem; font-size: 1.2rem; }
h3 { margin: 1rem 0 .25rem; font-size: .8rem; text-transform: uppercase; letter-spacing: .05em; }
code { font: 13px ui-monospace, monospace; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; padding: .75rem 0; border-block: 1px solid var(--line); }
details { margin: .4rem 0; border: 1px solid var(--line); border-radius: .4rem; }
summary { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline; padding: .5rem .75rem; cursor: pointer; }
summary span { opacity: .75; }
details[open] > summary { border-bottom: 1px solid var(--line); background: var(--soft); }
details > div { padding: 0 .75rem .75rem; overflow-x: auto; }
b.get, b.post { min-width: 3.2rem; font-size: .8rem; }
b.get { color: var(--get); }
b.post { color: var(--post); }
table { width: 100%; border-collapse: collapse; }
th, td { padding: .25rem .5rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { font-size: .8rem; font-weight: 600; opacity: .75; }
`;
