import type { LoanYear } from '@keyturn/contract/deals/financing.ts'
import { wizardTexts } from '@keyturn/contract/deals/wizard-texts.ts'
import { formatUsdExact } from '@keyturn/contract/shared/money.ts'
import { useId } from 'react'
import classes from './loan-chart.module.css'

const texts = wizardTexts.loan

/** One bar per year. Interest is hatched, so that it does not differ by color alone. */
export function LoanChart({ years }: { years: readonly LoanYear[] }) {
  const hatch = useId()
  const highest = Math.max(...years.map((year) => year.principal + year.interest), 1)
  const share = (amount: number) => (amount / highest) * chartHeight
  return (
    <figure className={classes.chart}>
      <figcaption className={classes.caption}>
        <span>{texts.chart}</span>
        <LegendEntry className={classes.principal} word={texts.principal} />
        <LegendEntry className={classes.soft} fill={`url(#${hatch})`} word={texts.interest} />
      </figcaption>
      {/* Hidden from screen readers: the table below has the same figures. */}
      <svg
        className={classes.bars}
        viewBox={`0 0 ${years.length * columnWidth} ${chartHeight}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <defs>
          <pattern
            id={hatch}
            width="6"
            height="6"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <rect className={classes.soft} width="6" height="6" />
            <rect className={classes.line} width="1.5" height="6" />
          </pattern>
        </defs>
        {years.map(({ year, principal, interest }) => {
          const x = (year - 1) * columnWidth + columnWidth * 0.15
          const principalHeight = share(principal)
          const interestHeight = share(interest)
          return (
            <g key={year}>
              <rect
                className={classes.principal}
                x={x}
                y={chartHeight - principalHeight}
                width={columnWidth * 0.7}
                height={principalHeight}
              />
              <rect
                x={x}
                y={chartHeight - principalHeight - interestHeight}
                width={columnWidth * 0.7}
                height={interestHeight}
                fill={`url(#${hatch})`}
              />
            </g>
          )
        })}
      </svg>
      <div className={classes.years} aria-hidden="true">
        {years.map(({ year }) => (
          <span key={year}>{texts.yearShort(year)}</span>
        ))}
      </div>
      <details className={classes.details}>
        <summary>{texts.table}</summary>
        <YearTable years={years} />
      </details>
    </figure>
  )
}

function YearTable({ years }: { years: readonly LoanYear[] }) {
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          {[texts.year, texts.principal, texts.interest, texts.left].map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {years.map(({ year, principal, interest, balance }) => (
          <tr key={year}>
            <th scope="row">{year}</th>
            <td>{formatUsdExact(principal)}</td>
            <td>{formatUsdExact(interest)}</td>
            <td>{formatUsdExact(balance)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function LegendEntry({ className, fill, word }: { className?: string; fill?: string; word: string }) {
  return (
    <span className={classes.key}>
      <svg width="14" height="14" aria-hidden="true">
        <rect className={className} width="14" height="14" rx="2" />
        {fill && <rect width="14" height="14" rx="2" fill={fill} />}
      </svg>
      {word}
    </span>
  )
}

const columnWidth = 100
const chartHeight = 120
