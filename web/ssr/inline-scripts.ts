// Scripts inlined before the page's text. The content security policy allows them by hash.

/**
 * Applies a chosen color scheme before the first paint. The style sheet handles the system's
 * scheme.
 */
const scheme = [
  "const root=document.documentElement.dataset;let s,k;try{s=localStorage['keyturn-color-scheme'];k=localStorage['keyturn-typeface']}catch{}",
  "if(s==='light'||s==='dark')root.mantineColorScheme=s",
]

/** Mantine's fields need the scheme as an attribute, even if it is the system's. */
const systemScheme = [
  "else root.mantineColorScheme=matchMedia('(prefers-color-scheme: dark)').matches?'dark':'light'",
]

/**
 * Records clicks before the page's script has loaded (R-everywhere-43) and starts the progress bar;
 * `script/replay-early-clicks.ts` replays them.
 */
const hear = (pressed: string, kinds: readonly string[]) => {
  const each = (act: string) => kinds.map((kind) => `${act}EventListener('${kind}',hear,true)`).join(';')
  return [
    'const early=[],hear=e=>{',
    `const t=${kinds.includes('submit') ? "e.type==='submit'?e.target:" : ''}e.target.closest?.('${pressed}')`,
    'if(!t)return',
    'e.preventDefault();e.stopImmediatePropagation();early.push(t)',
    "const l=document.querySelector('[data-progress]');if(l)l.hidden=false",
    '}',
    each('add'),
    `window.keyturnEarly=()=>{${each('remove')};return early}`,
  ]
}

/**
 * The body font and `late` files load after the first paint (R-everywhere-40), after 3 s at the
 * latest, or immediately on a hidden page, which never paints. A font that is not cached applies
 * only once it has loaded, because an earlier swap would lay out every word twice.
 */
const afterWords = (face: string, late = '') => [
  `const f='${face}',show=()=>{root.typeface=''};if(k===f)show()`,
  `let go=()=>{go=()=>{};${late}`,
  `document.fonts.load('1em "Source Sans 3 Variable"').then(()=>{show();localStorage['keyturn-typeface']=f}).catch(()=>{})}`,
  'if(document.hidden)go()',
  "else{new PerformanceObserver(l=>{if(l.getEntriesByName('first-contentful-paint')[0])go()}).observe({type:'paint',buffered:true})",
  'setTimeout(()=>go(),3000)}',
]

const block = (...lines: readonly string[]) => `{${lines.join('\n')}}`

/** For pages that work without a script, which therefore loads after the text. */
export const pageScript = ({ script, font }: { script: string; font: string }): string =>
  block(
    ...scheme,
    ...hear('button:not([type=submit]),a[data-photo]', ['click']),
    ...afterWords(font, `import('${script}').catch(()=>{});`),
  )

/** For pages with forms, whose script is loaded with the text because clicks need it. */
export const formScript = (font: string): string =>
  block(
    ...scheme,
    ...systemScheme,
    ...hear('[role=tab],[aria-pressed],[data-go]', ['submit', 'click']),
    ...afterWords(font),
  )
