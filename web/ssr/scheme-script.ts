/**
 * Runs before the first paint, so that a person who chose a scheme never sees the other one flash by; who chose none has
 * the system's, by the style sheet alone. The policy of the page allows this text by its hash.
 */
export const schemeScript =
  "try{const s=localStorage.getItem('keyturn-color-scheme');if(s==='light'||s==='dark')document.documentElement.dataset.mantineColorScheme=s}catch{}"
