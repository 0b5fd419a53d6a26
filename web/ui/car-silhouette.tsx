import type { ReactNode } from 'react'
import classes from './car-silhouette.module.css'

export type CarBody = keyof typeof bodies

/** Stands in for a photograph: a side view drawn by body type. */
export function CarSilhouette({ body = 'sedan', className }: { body?: CarBody; className?: string }) {
  return (
    <svg
      className={`${classes.car} ${className ?? ''}`}
      viewBox="0 0 144 56"
      aria-hidden="true"
      focusable="false"
    >
      {bodies[body]}
      {wheels[body].map((x) => (
        <g key={x}>
          <circle className={classes.tyre} cx={x} cy="43" r="8.5" />
          <circle className={classes.hub} cx={x} cy="43" r="3.5" />
        </g>
      ))}
      <path className={classes.road} d="M4 52.5h136" />
    </svg>
  )
}

/** From the body class of the VIN tables ("Sport Utility Vehicle (SUV)/...") to one of our drawings. */
export function bodyOf(bodyClass: string | null | undefined): CarBody {
  const words = bodyClass?.toLowerCase() ?? ''
  return tellTales.find(([tell]) => words.includes(tell))?.[1] ?? 'sedan'
}

const tellTales: readonly (readonly [string, CarBody])[] = [
  ['pickup', 'pickup'],
  ['sport utility', 'suv'],
  ['suv', 'suv'],
  ['crossover', 'suv'],
  ['wagon', 'wagon'],
  ['minivan', 'van'],
  ['van', 'van'],
  ['hatchback', 'hatchback'],
  ['liftback', 'hatchback'],
  ['convertible', 'convertible'],
  ['roadster', 'convertible'],
  ['coupe', 'coupe'],
]

const shell = (outline: string, glass: string, more?: ReactNode) => (
  <>
    <path className={classes.shell} d={outline} />
    <path className={classes.glass} d={glass} />
    {more}
  </>
)

const bodies = {
  sedan: shell(
    'M9 43c-2-1-3-3-3-6 0-6 2-9 8-10l18-2c9-8 17-13 29-13h17c12 0 20 6 28 13l18 3c9 2 13 5 14 11 0 3-1 4-3 4Z',
    'M40 24.5c7-6 13-9 22-9h6v9ZM72 15.5h6c9 0 15 4 21 9H72Z',
  ),
  coupe: shell(
    'M9 43c-2-1-3-3-3-6 0-5 2-8 7-9l16-2c10-8 21-13 35-13 15 0 27 7 38 14l19 3c10 2 14 5 15 10 0 2-1 3-3 3Z',
    'M40 25c8-6 15-9 25-9l3 9ZM71 16c11 1 18 4 26 9.5L73 25Z',
  ),
  hatchback: shell(
    'M11 43c-2-1-3-3-3-6 0-9 3-16 10-22 2-2 5-3 9-3h40c13 0 22 6 31 14l20 3c10 2 13 5 14 11 0 2-1 3-3 3Z',
    'M19 24.5c2-5 5-8.5 10-9h15v9ZM48 15.5h19c10 0 17 4 24 9H48Z',
  ),
  wagon: shell(
    'M9 43c-2-1-3-3-3-6 0-10 2-17 6-22 2-2 4-3 8-3h53c12 0 21 6 29 13l19 3c10 2 13 5 14 11 0 3-1 4-3 4Z',
    'M13 24.5c1-5 4-8.5 9-9h15v9ZM41 15.5h21v9H41ZM66 15.5h8c9 0 15 4 22 9H66Z',
  ),
  suv: shell(
    'M9 43c-2-1-3-3-3-7 0-13 2-22 6-27 1-2 4-3 8-3h53c11 0 20 8 27 17l21 3c10 2 13 5 14 13 0 3-1 4-3 4Z',
    'M13 22c1-7 4-12 9-12.5h14V22ZM40 9.5h21V22H40ZM65 9.5h9c8 0 14 5 20 12.5H65Z',
  ),
  pickup: shell(
    'M8 43c-2 0-3-2-3-4V26c0-2 1-3 3-3h45V10c0-2 1-3 3-3h20c10 0 17 8 22 16l21 2c11 1 15 5 16 13 0 4-1 5-3 5Z',
    'M58 11h10v12H58ZM72 11h4c7 0 12 5 16 12H72Z',
    <path className={classes.seam} d="M53 23v14" />,
  ),
  van: shell(
    'M9 43c-2-1-3-3-3-7 0-16 1-25 4-29 1-2 4-3 8-3h59c17 0 29 11 37 23l15 4c6 2 8 5 9 9 0 2-1 3-3 3Z',
    'M12 21c1-8 3-13 8-13.5h16V21ZM40 7.5h24V21H40ZM68 7.5h9c12 0 22 6 30 15L68 21Z',
  ),
  convertible: shell(
    'M9 43c-2-1-3-3-3-6 0-6 2-9 8-10l25-2h48l30 4c10 2 14 5 15 10 0 3-1 4-3 4Z',
    'M90 25 76 13.5c-1-1 1-2.5 2.5-1.5L97 25Z',
    <path className={classes.seam} d="M40 25c2-4 6-6 12-5l6 5" />,
  ),
}

const wheels = {
  sedan: [34, 110],
  coupe: [34, 110],
  hatchback: [34, 106],
  wagon: [34, 110],
  suv: [34, 108],
  pickup: [34, 110],
  van: [32, 112],
  convertible: [34, 110],
} as const satisfies Record<CarBody, readonly number[]>
