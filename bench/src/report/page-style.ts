/** The look of the page, in light and dark. */
export const STYLE = `
:root { color-scheme: light dark; --text: #1c2024; --soft: #60646c; --line: #d9d9e0; --ours: #0f766e; --peer: #a8b3bd; }
@media (prefers-color-scheme: dark) {
  :root { --text: #edeef0; --soft: #b0b4ba; --line: #3a3d42; --ours: #2dd4bf; --peer: #5a6169; }
}
body { font: 16px/1.5 system-ui, sans-serif; color: var(--text); max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.7rem; } h2 { font-size: 1.25rem; margin: 2.5rem 0 0.25rem; }
p, dd, figcaption small, .remark { color: var(--soft); }
figure { margin: 1rem 0; } figcaption { font-weight: 600; font-size: 0.9rem; }
svg { width: 100%; height: auto; font: 13px system-ui, sans-serif; }
svg text { fill: var(--text); } svg .label { text-anchor: end; } svg .figure { font-weight: 600; }
svg .ours { fill: var(--ours); } svg .peer { fill: var(--peer); } svg line { stroke: var(--text); stroke-width: 1.5; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.85rem; }
th, td { text-align: left; padding: 0.3rem 0.8rem 0.3rem 0; border-bottom: 1px solid var(--line); white-space: nowrap; }
dt { font-weight: 600; } dd { margin: 0 0 0.5rem; }
`;
