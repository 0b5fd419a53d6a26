import { drawingBox } from '@keyturn/contract/deals/drawing.ts'
import { drawingTexts } from '@keyturn/contract/deals/drawing-texts.ts'
import { formatDateTime } from '@keyturn/contract/kit/dates.ts'
import '@fontsource/caveat/latin-500.css'
import '@fontsource/caveat/latin-ext-500.css'
import type { ReactNode } from 'react'
import classes from './paper.module.css'

/** A white sheet with margins in both color schemes, which prints as it looks and without the rest of the page. */
export function PaperSheet({
  title,
  meta,
  children,
}: {
  title: string
  meta?: ReactNode
  children: ReactNode
}) {
  return (
    <article className={classes.sheet} data-paper>
      <header className={classes.head}>
        <h2 className={classes.title}>{title}</h2>
        {meta && <p className={classes.meta}>{meta}</p>}
      </header>
      {children}
    </article>
  )
}

/** Numbered sections in a readable size. */
export function PaperSections({ sections }: { sections: readonly { title: string; text: ReactNode }[] }) {
  return (
    <ol className={classes.sections}>
      {sections.map(({ title, text }) => (
        <li key={title} className={classes.section}>
          <h3 className={classes.sectionTitle}>{title}</h3>
          <div>{text}</div>
        </li>
      ))}
    </ol>
  )
}

type SignatureLineProps = {
  /** "Seller", "Buyer" */
  role: string
  /** The typed name in letters, under the line. */
  name?: string
  /** The typed signature, set in a script typeface. */
  signature?: string
  /** What was drawn beside it. */
  drawing?: string
  signedAt?: string
  /** "Signed", "Waiting for Ana's signature" */
  state: string
}

export function SignatureLine({ role, name, signature, drawing, signedAt, state }: SignatureLineProps) {
  return (
    <div className={classes.signature}>
      <div className={classes.written}>
        <p className={classes.script}>{signature}</p>
        {drawing && <DrawnSignature drawing={drawing} name={name ?? role} />}
      </div>
      <p className={classes.signer}>
        <span>{role}</span>
        {name && <strong>{name}</strong>}
      </p>
      <p className={classes.state}>
        {state}
        {signedAt && (
          <>
            {', '}
            <time dateTime={signedAt}>{formatDateTime(signedAt)}</time>
          </>
        )}
      </p>
    </div>
  )
}

const DrawnSignature = ({ drawing, name }: { drawing: string; name: string }) => (
  <svg
    className={classes.drawn}
    viewBox={`0 0 ${drawingBox.width} ${drawingBox.height}`}
    role="img"
    aria-label={drawingTexts.drawn(name)}
  >
    <path d={drawing} />
  </svg>
)

/** Both signature lines, side by side if there is room. */
export function Signatures({ children }: { children: ReactNode }) {
  return <div className={classes.signatures}>{children}</div>
}
