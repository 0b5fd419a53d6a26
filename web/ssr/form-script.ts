/**
 * Runs before the first paint. The component library's fields want to be told the scheme, the system's too. What is
 * pressed before the page's script has arrived waits for it (R-everywhere-43), and the line at the top says that it was
 * heard; `script/early.ts` carries it out. The policy of the page allows this text by its hash.
 */
export const formScript = [
  "let s;try{s=localStorage.getItem('keyturn-color-scheme')}catch{}",
  "if(s!=='light'&&s!=='dark')s=matchMedia('(prefers-color-scheme: dark)').matches?'dark':'light'",
  'document.documentElement.dataset.mantineColorScheme=s',
  'const early=[],hear=e=>{',
  "const t=e.type==='submit'?e.target:e.target.closest&&e.target.closest('[role=tab],[aria-pressed],[data-go]')",
  'if(!t)return',
  'e.preventDefault();e.stopImmediatePropagation();early.push(t)',
  "const l=document.querySelector('[data-progress]');if(l)l.hidden=false",
  '}',
  "for(const n of['submit','click'])addEventListener(n,hear,true)",
  "window.keyturnEarly=()=>{for(const n of['submit','click'])removeEventListener(n,hear,true);return early}",
]
  .join('\n')
  .replace(/^/, '{')
  .concat('}')
