import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './skeletons.module.css'

export type SkeletonShape = 'rows' | 'cards' | 'lines' | 'form'

/** Shaped like the content, so that nothing jumps when it arrives. */
export function Waiting({ shape, rows }: { shape: SkeletonShape | ReactNode; rows: number }) {
  const Shape = isShape(shape) ? shapes[shape] : null
  if (Shape === null) return <div aria-hidden="true">{shape}</div>
  return (
    <div className={classes.waiting} data-shape={String(shape)} aria-hidden="true">
      {Array.from({ length: rows }, (_, row) => `row-${row}`).map((key) => (
        <Shape key={key} />
      ))}
    </div>
  )
}

const isShape = (shape: ReactNode): shape is SkeletonShape => typeof shape === 'string' && shape in shapes

const shapes = {
  rows: () => (
    <div className={classes.row}>
      <Skeleton className={classes.picture} />
      <div className={classes.words}>
        <Skeleton height={16} width="52%" />
        <Skeleton height={12} width="34%" />
      </div>
      <Skeleton height={16} width={72} className={classes.wide} />
      <Skeleton height={40} width={120} radius="md" className={classes.wide} />
    </div>
  ),
  cards: () => (
    <div className={classes.card}>
      <Skeleton height={20} width="60%" />
      <Skeleton height={14} width="85%" />
      <Skeleton height={14} width="40%" />
    </div>
  ),
  lines: () => <Skeleton height={16} className={classes.line} />,
  form: () => (
    <div className={classes.words}>
      <Skeleton height={12} width={96} />
      <Skeleton height={46} radius="md" />
    </div>
  ),
}
