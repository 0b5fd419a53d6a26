// What stands in a document, before its words. The policy of the page allows these texts by their hash.

/** Who chose a scheme never sees the other one flash by; who chose none has the system's, by the style sheet alone. */
const scheme = [
  "const root=document.documentElement.dataset;let s,k;try{s=localStorage['keyturn-color-scheme'];k=localStorage['keyturn-typeface']}catch{}",
  "if(s==='light'||s==='dark')root.mantineColorScheme=s",
]

/** The component library's fields want to be told the scheme, the system's too. */
const systemScheme = [
  "else root.mantineColorScheme=matchMedia('(prefers-color-scheme: dark)').matches?'dark':'light'",
]

/**
 * What is pressed before the page's script has arrived waits for it (R-everywhere-43), and the line at the top says that it
 * was heard; `script/early.ts` carries it out.
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
 * Words come first (R-everywhere-40): the text face, and what else is `late`, is fetched when they have been painted. The
 * face is shown when it is there: shown before, every word would be laid out twice. A device that keeps it shows it from the
 * beginning. A page that nobody looks at paints nothing.
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

/** Of pages that can be read and used without a script: theirs arrives after the words. */
export const pageScript = ({ script, font }: { script: string; font: string }): string =>
  block(
    ...scheme,
    ...hear('button:not([type=submit]),a[data-photo],[data-schemes] input', ['click']),
    ...afterWords(font, `import('${script}').catch(()=>{});`),
  )

/** Of forms: what is pressed there needs their script, which comes beside the words. */
export const formScript = (font: string): string =>
  block(
    ...scheme,
    ...systemScheme,
    ...hear('[role=tab],[aria-pressed],[data-go]', ['submit', 'click']),
    ...afterWords(font),
  )
