import { Loader } from '@mantine/core'
import { texts } from '../texts.ts'
import classes from './spinner.module.css'

/** For a gate that waits for the signed-in person; lists have skeletons. */
export function Spinner({ label = texts.loading }: { label?: string }) {
  return (
    <div className={classes.spinner} role="status">
      <Loader size="sm" aria-hidden />
      <span>{label}</span>
    </div>
  )
}
