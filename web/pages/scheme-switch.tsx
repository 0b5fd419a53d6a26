import { texts } from '../ui/texts.ts'
import classes from './segments.module.css'

/** Chooses the color scheme on a page that the server renders; `web/ssr/script` makes it work, and without it nobody sees it. */
export const SchemeSwitch = () => (
  <fieldset className={`${classes.segments} ${classes.scripted}`} data-schemes>
    <legend className={classes.legend}>{texts.colorScheme}</legend>
    {schemes.map(({ scheme, word }) => (
      <label key={scheme} className={classes.segment}>
        <input type="radio" name="scheme" value={scheme} defaultChecked={scheme === 'auto'} />
        <span>{word}</span>
      </label>
    ))}
  </fieldset>
)

const schemes = [
  { scheme: 'auto', word: texts.schemeSystem },
  { scheme: 'light', word: texts.schemeLight },
  { scheme: 'dark', word: texts.schemeDark },
]
