import { Loader } from '@mantine/core'
import { texts } from '../texts.ts'
import classes from './spinner.module.css'

/** Shown while the guard fetches the signed-in person. Lists show skeletons instead. */
export function Spinner({ label = texts.loading }: { label?: string }) {
  return (
    <div className={classes.spinner} role="status">
      <Loader size="sm" aria-hidden />
      <span>{label}</span>
    </div>
  )
}
