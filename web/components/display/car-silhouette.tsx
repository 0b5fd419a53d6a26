import { type CarBody, carDrawingFor, roadLine } from '@keyturn/contract/shared/car-drawings.ts'
import classes from './car-silhouette.module.css'

/** A side view of the body type in place of a photo. An unknown type gets the most common body. */
export function CarSilhouette({ body }: { body?: CarBody | null }) {
  const { wheels, outline, glass, seams } = carDrawingFor(body)
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
