import { texts } from '../texts.ts'
import classes from './logo.module.css'

/** The mark and the product's name. Wrap it in a `PlainLink`. */
export function Logo() {
  return (
    <span className={classes.logo}>
      <svg className={classes.mark} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
        <rect width="32" height="32" rx="9" className={classes.ground} />
        <path
          className={classes.key}
          d="M15.3 13.2a5 5 0 1 0-2.1 2.1M12.3 12.3 24.5 24.5m-3.2-3.2 2.9-2.9m-6.1-.3 2.2-2.2"
        />
      </svg>
      <span className={classes.word}>{texts.product}</span>
    </span>
  )
}
