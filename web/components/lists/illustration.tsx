import classes from './illustration.module.css'

export type IllustrationName = keyof typeof drawings

/** The project's own line drawings, each with one stroke and one tinted surface. */
export function Illustration({ name, className }: { name: IllustrationName; className?: string }) {
  return (
    <svg
      className={`${classes.picture} ${className ?? ''}`}
      viewBox="0 0 160 100"
      aria-hidden="true"
      focusable="false"
    >
      {drawings[name]}
    </svg>
  )
}

const drawings = {
  cars: (
    <>
      <path
        className={classes.tint}
        d="M40 62c1-9 4-12 12-13l9-1c6-8 13-14 22-14h17c9 0 14 6 21 14l7 2c7 1 9 5 9 12v4H40Z"
      />
      <path d="M48 66h-6a3 3 0 0 1-3-3c0-9 4-13 12-14l10-1c6-8 13-14 22-14h17c9 0 14 6 21 14l7 2c7 1 10 6 10 12 0 3-1 4-4 4h-5M68 66h36" />
      <circle cx="58" cy="66" r="9.5" />
      <circle cx="58" cy="66" r="3" />
      <circle cx="119" cy="66" r="9.5" />
      <circle cx="119" cy="66" r="3" />
      <path d="M69 48c5-6 9-9 15-9h5v9ZM94 39h7c6 0 9 3 13 9H94Z" />
      <path d="M14 76h24M22 84h116M146 76h4" />
      <path d="M132 18v12M126 24h12" className={classes.strong} />
    </>
  ),
  trades: (
    <>
      <rect className={classes.tint} x="26" y="28" width="46" height="44" rx="6" />
      <rect x="26" y="28" width="46" height="44" rx="6" />
      <rect x="88" y="28" width="46" height="44" rx="6" />
      <path d="M34 56c1-4 3-5 6-6 3-4 5-6 9-6s6 2 9 6c4 0 6 2 6 6v2H34Z" />
      <circle cx="41" cy="58" r="3" />
      <circle cx="57" cy="58" r="3" />
      <path d="M111 38v24M117 43c-2-2-4-2-6-2-4 0-6 2-6 4.5 0 6 12 3 12 9 0 3-2 4.5-6 4.5-3 0-5-1-6-3" />
      <path className={classes.strong} d="M64 18h30l-6-6M96 84H66l6 6" />
    </>
  ),
  papers: (
    <>
      <path d="M60 22 46 24a4 4 0 0 0-3 5l8 50" />
      <path
        className={classes.tint}
        d="M60 16h36l16 16v52a4 4 0 0 1-4 4H60a4 4 0 0 1-4-4V20a4 4 0 0 1 4-4Z"
      />
      <path d="M60 16h36l16 16v52a4 4 0 0 1-4 4H60a4 4 0 0 1-4-4V20a4 4 0 0 1 4-4Z" />
      <path d="M96 16v12a4 4 0 0 0 4 4h12M66 42h36M66 51h36M66 60h22" />
      <path className={classes.strong} d="M66 77c4-7 7-7 7-2s3 4 6-1c2-3 4-2 4 1s4 2 8 1h10" />
    </>
  ),
}
