import { type CarBody, drawingOf, roadLine } from '@keyturn/contract/shared/car-drawings.ts'
import classes from './car-silhouette.module.css'

/** In place of a photograph: a side view by body type; the commonest one where the type is not known. */
export function CarSilhouette({ body }: { body?: CarBody | null }) {
  const { wheels, outline, glass, seams } = drawingOf(body)
  return (
    <svg className={classes.car} viewBox="0 0 144 56" aria-hidden="true" focusable="false">
      <path className={classes.shell} d={outline} />
      <path className={classes.glass} d={glass} />
      <path className={classes.seam} d={seams} />
      {wheels.map((x) => (
        <g key={x}>
          <circle className={classes.tyre} cx={x} cy="43" r="8.5" />
          <circle className={classes.hub} cx={x} cy="43" r="3.5" />
        </g>
      ))}
      <path className={classes.road} d={roadLine} />
    </svg>
  )
}
