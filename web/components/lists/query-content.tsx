import { Skeleton, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { isUnreachable } from '../../api/errors.ts'
import { ErrorNotice } from '../feedback/error-notice.tsx'
import { Failure } from '../feedback/failure.tsx'
import { texts } from '../texts.ts'
import { EmptyState } from './empty-state.tsx'
import type { IllustrationName } from './illustration.tsx'
import classes from './query-content.module.css'
import skeletons from './skeletons.module.css'

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
  isEmpty?: (data: T) => boolean
  emptyAction?: ReactNode
  emptyPicture?: IllustrationName
  skeleton?: SkeletonShape | ReactNode
  skeletonRows?: number
  onRetry?: () => unknown
  children: (data: NoInfer<T>) => ReactNode
}

/**
 * Renders a query's state: loading, failed, empty or loaded. `StaleNotice` reports failed
 * refetches.
 */
export function QueryContent<T>(props: LoadedProps<T>) {
  const { from, failed, empty, isEmpty = isEmptyList, children } = props
  const retry = props.onRetry ?? (() => from.refetch())

  if (from.data === undefined) {
    if (from.status === 'error' && from.error) {
      const content = typeof failed === 'function' ? failed(from.error) : failed
      return typeof content === 'string' ? (
        <Failure sentence={content} fault={from.error} onRetry={retry} />
      ) : (
        content
      )
    }
    return (
      <div aria-busy="true">
        <VisuallyHidden role="status">{texts.loading}</VisuallyHidden>
        <LoadingSkeleton shape={props.skeleton ?? 'rows'} rows={props.skeletonRows ?? 5} />
      </div>
    )
  }
  if (empty !== undefined && isEmpty(from.data)) {
    return <EmptyState text={empty} action={props.emptyAction} picture={props.emptyPicture} />
  }
  return (
    <div className={classes.there}>
      {from.status === 'error' && !isUnreachable(from.error) && (
        <ErrorNotice onRetry={retry}>{texts.stale}</ErrorNotice>
      )}
      {children(from.data)}
    </div>
  )
}

const isEmptyList = (data: unknown): boolean => Array.isArray(data) && data.length === 0

type SkeletonShape = 'rows' | 'cards' | 'lines'

/** Has the shape of the content, so that nothing moves when it arrives. */
function LoadingSkeleton({ shape, rows }: { shape: SkeletonShape | ReactNode; rows: number }) {
  const Shape = isShape(shape) ? shapes[shape] : null
  if (Shape === null) return <div aria-hidden="true">{shape}</div>
  return (
    <div className={skeletons.waiting} data-shape={String(shape)} aria-hidden="true">
      {Array.from({ length: rows }, (_, row) => `row-${row}`).map((key) => (
        <Shape key={key} />
      ))}
    </div>
  )
}

const isShape = (shape: ReactNode): shape is SkeletonShape => typeof shape === 'string' && shape in shapes

const shapes = {
  rows: () => (
    <div className={skeletons.row}>
      <Skeleton className={skeletons.picture} />
      <div className={skeletons.words}>
        <Skeleton height={16} width="52%" />
        <Skeleton height={12} width="34%" />
      </div>
      <Skeleton height={16} width={72} className={skeletons.wide} />
      <Skeleton height={40} width={120} radius="md" className={skeletons.wide} />
    </div>
  ),
  cards: () => (
    <div className={skeletons.card}>
      <Skeleton height={20} width="60%" />
      <Skeleton height={14} width="85%" />
      <Skeleton height={14} width="40%" />
    </div>
  ),
  lines: () => <Skeleton height={16} className={skeletons.line} />,
}
