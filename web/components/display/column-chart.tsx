import { useId } from 'react'
import classes from './column-chart.module.css'

type ColumnChartProps = {
  caption: string
  /** The names of the parts of a column, from the bottom, at most three. */
  series: readonly string[]
  columns: readonly { label: string; values: readonly number[] }[]
  /** Formats the sum above a column. */
  format: (sum: number) => string
  table: { summary: string; head: readonly string[]; rows: readonly (readonly string[])[] }
}

/**
 * Stacked columns, and a table with the same figures. Parts differ by pattern and not only by color.
 * Drawn here, because `@mantine/charts` has no release for this version of Mantine.
 */
export function ColumnChart({ caption, series, columns, format, table }: ColumnChartProps) {
  const hatch = useId()
  const sums = columns.map(({ values }) => values.reduce((sum, value) => sum + value, 0))
  const highest = Math.max(...sums, 1)
  const percent = (columnsBefore: number) => `${(columnsBefore / columns.length) * 100}%`
  const looks = [classes.solid, classes.hatched, classes.open]
  const fill = (part: number) => (part === 1 ? `url(#${hatch})` : undefined)
  return (
    <figure className={classes.chart}>
      <figcaption className={classes.caption}>
        <span>{caption}</span>
        {series.length > 1 &&
          series.map((name, part) => (
            <span key={name} className={classes.key}>
              <svg width="14" height="14" aria-hidden="true">
                <rect className={looks[part]} x="0.5" y="0.5" width="13" height="13" fill={fill(part)} />
              </svg>
              {name}
            </span>
          ))}
      </figcaption>
      {/* Hidden from screen readers: the table below has the same figures. */}
      <svg className={classes.columns} height={chartHeight + sumHeight} aria-hidden="true">
        <defs>
          <pattern
            id={hatch}
            width="6"
            height="6"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <rect className={classes.soft} width="6" height="6" />
            <rect className={classes.line} width="2" height="6" />
          </pattern>
        </defs>
        {columns.map(({ label, values }, i) => {
          let top = chartHeight + sumHeight
          const sum = sums[i] ?? 0
          return (
            <g key={label}>
              {values.map((value, part) => {
                const height = (value / highest) * chartHeight
                top -= height
                return (
                  value > 0 && (
                    <rect
                      key={series[part]}
                      className={looks[part]}
                      x={percent(i + 0.15)}
                      y={top}
                      width={percent(0.7)}
                      height={height}
                      fill={fill(part)}
                    />
                  )
                )
              })}
              {sum > 0 && (
                <text className={classes.sum} x={percent(i + 0.5)} y={top - 5} textAnchor="middle">
                  {format(sum)}
                </text>
              )}
            </g>
          )
        })}
      </svg>
      <div
        className={classes.labels}
        data-many={columns.length > manyColumns || undefined}
        aria-hidden="true"
      >
        {columns.map(({ label }) => (
          <span key={label}>{label}</span>
        ))}
      </div>
      <details className={classes.details}>
        <summary>{table.summary}</summary>
        <table className={classes.table}>
          <thead>
            <tr>
              {table.head.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.rows.map(([first, ...cells]) => (
              <tr key={first}>
                <th scope="row">{first}</th>
                {cells.map((cell, i) => (
                  <td key={table.head[i + 1]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}

const chartHeight = 120
/** Above the highest column. */
const sumHeight = 20
/** With more columns, a phone shows every third label. */
const manyColumns = 8
