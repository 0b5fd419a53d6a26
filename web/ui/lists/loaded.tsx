import { VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { isOutOfReach } from '../../wire/refusals.ts'
import { Failure } from '../feedback/failure.tsx'
import { Trouble } from '../feedback/trouble.tsx'
import { texts } from '../texts.ts'
import { Empty } from './empty.tsx'
import classes from './loaded.module.css'
import type { PictureName } from './pictures.tsx'
import { type SkeletonShape, Waiting } from './skeletons.tsx'

/** What this needs of a TanStack query. */
type Query<T> = {
  data: T | undefined
  error: Error | null
  status: 'pending' | 'error' | 'success'
  refetch: () => unknown
}

type LoadedProps<T> = {
  from: Query<T>
  failed: string | ((error: Error) => ReactNode)
  empty?: string
  isEmpty?: (there: T) => boolean
  emptyAction?: ReactNode
  emptyPicture?: PictureName
  skeleton?: SkeletonShape | ReactNode
  skeletonRows?: number
  /** Instead of refetching the query. */
  onRetry?: () => unknown
  children: (there: NoInfer<T>) => ReactNode
}

/** Always one of four states: loading, failed, empty, loaded. A failed refetch is reported once per page by `StaleNotice`. */
export function Loaded<T>(props: LoadedProps<T>) {
  const { from, failed, empty, isEmpty = isEmptyList, children } = props
  const retry = props.onRetry ?? (() => from.refetch())

  if (from.data === undefined) {
    if (from.status === 'error' && from.error) {
      const said = typeof failed === 'function' ? failed(from.error) : failed
      return typeof said === 'string' ? <Failure sentence={said} fault={from.error} onRetry={retry} /> : said
    }
    return (
      <div aria-busy="true">
        <VisuallyHidden role="status">{texts.loading}</VisuallyHidden>
        <Waiting shape={props.skeleton ?? 'rows'} rows={props.skeletonRows ?? 5} />
      </div>
    )
  }
  if (empty !== undefined && isEmpty(from.data)) {
    return <Empty text={empty} action={props.emptyAction} picture={props.emptyPicture} />
  }
  return (
    <div className={classes.there}>
      {from.status === 'error' && !isOutOfReach(from.error) && (
        <Trouble onRetry={retry}>{texts.stale}</Trouble>
      )}
      {children(from.data)}
    </div>
  )
}

const isEmptyList = (there: unknown): boolean => Array.isArray(there) && there.length === 0
