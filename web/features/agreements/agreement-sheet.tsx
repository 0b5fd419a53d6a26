import { buildAgreement } from '@keyturn/contract/agreements/agreement.ts'
import { drawingTexts } from '@keyturn/contract/agreements/drawing-texts.ts'
import { termSheetTexts as texts } from '@keyturn/contract/agreements/term-sheet-texts.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { formatDateTime } from '@keyturn/contract/shared/dates.ts'
import { drawingBox } from '@keyturn/contract/shared/signature-drawing.ts'
import { FactTable } from '../../components/lists/fact-table.tsx'
import classes from './agreement-sheet.module.css'
import '@fontsource/caveat/latin-500.css'
import '@fontsource/caveat/latin-ext-500.css'

export type SheetTerms = NonNullable<Progress['terms']>
/** One side's signature on the sheet. Without `signedAt`, it is still being typed or missing. */
type SheetSignature = {
  name?: string | null
  signature?: string | null
  drawing?: string | null
  signedAt?: string | null
}

type AgreementSheetProps = {
  terms: SheetTerms
  seller: SheetSignature
  buyer: SheetSignature
  /** The `id` of the paragraph about the 72 hours, for links to it. */
  holdId?: string
}

/**
 * The Vehicle Sale Agreement, as both sides sign, read and print it. It is white in both color
 * schemes, and prints without the rest of the page.
 */
export function AgreementSheet({ terms, seller, buyer, holdId }: AgreementSheetProps) {
  const agreement = buildAgreement(terms)
  return (
    <article className={classes.sheet} data-paper>
      <header className={classes.head}>
        <h2 className={classes.title}>{agreement.title}</h2>
        <p className={classes.meta}>{texts.version(agreement.version)}</p>
      </header>
      {agreement.sample && <p className={classes.words}>{agreement.sample}</p>}
      <FactTable facts={agreement.facts.map(({ label, value }) => ({ term: label, value }))} />
      {agreement.payment && <UnnumberedSection {...agreement.payment} />}
      <p id={holdId} className={classes.words}>
        {agreement.exclusivity}
      </p>
      {agreement.disclaimer && <UnnumberedSection {...agreement.disclaimer} />}
      <ol className={classes.sections}>
        {agreement.sections.map(({ title, paragraphs }) => (
          <li key={title} className={classes.section}>
            <h3 className={classes.sectionTitle}>{title}</h3>
            <div>
              <Paragraphs of={paragraphs} />
            </div>
          </li>
        ))}
      </ol>
      <div className={classes.signatures}>
        <Signature role={texts.seller} party={terms.sellerName} {...seller} />
        <Signature role={texts.buyer} party={terms.buyerName} {...buyer} />
      </div>
    </article>
  )
}

export const readSellerSignature = (progress: Progress) => ({
  name: progress.sellerSignedName,
  signature: progress.sellerSignature,
  drawing: progress.sellerDrawing,
  signedAt: progress.sellerSignedAt,
})

export const readBuyerSignature = (progress: Progress) => ({
  name: progress.buyerSignedName,
  signature: progress.buyerSignature,
  drawing: progress.buyerDrawing,
  signedAt: progress.buyerSignedAt,
})

const UnnumberedSection = ({ title, paragraphs }: { title: string; paragraphs: readonly string[] }) => (
  <section>
    <h3 className={classes.unnumberedTitle}>{title}</h3>
    <Paragraphs of={paragraphs} />
  </section>
)

const Paragraphs = ({ of }: { of: readonly string[] }) =>
  of.map((paragraph) => (
    <p key={paragraph} className={classes.words}>
      {paragraph}
    </p>
  ))

type SignatureProps = SheetSignature & { role: string; party: string }

/** One side's signature above its line, with the name and the date. */
export function Signature({ role, party, signature, drawing, signedAt, ...given }: SignatureProps) {
  const name = given.name || party
  return (
    <div className={classes.signature}>
      <div className={classes.written}>
        <p className={classes.script}>{signature}</p>
        {drawing && (
          <svg
            className={classes.drawn}
            viewBox={`0 0 ${drawingBox.width} ${drawingBox.height}`}
            role="img"
            aria-label={drawingTexts.drawn(name)}
          >
            <path d={drawing} />
          </svg>
        )}
      </div>
      <p className={classes.signer}>
        <span>{role}</span>
        {name && <strong>{name}</strong>}
      </p>
      <p className={classes.state}>
        {signedAt ? texts.signed : texts.notSignedYet}
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
