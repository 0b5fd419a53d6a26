import { agreementOf } from '@keyturn/contract/deals/agreement.ts'
import { termSheetTexts as texts } from '@keyturn/contract/deals/agreement-texts.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { FactTable } from '../../ui/lists/fact-table.tsx'
import classes from './paper.module.css'
import { PaperSections, PaperSheet, SignatureLine, Signatures } from './paper.tsx'

export type SheetTerms = NonNullable<Progress['terms']>
/** One side's signature as the sheet shows it; without `signedAt` it is still being typed, or missing. */
type SheetSignature = {
  name?: string | null
  signature?: string | null
  drawing?: string | null
  signedAt?: string | null
}

type AgreementPaperProps = {
  terms: SheetTerms
  seller: SheetSignature
  buyer: SheetSignature
  /** Of the paragraph about the 72 hours, for what leads to it. */
  holdId?: string
}

/** The Vehicle Sale Agreement as it is signed, read and printed: one sheet for both sides. */
export function AgreementPaper({ terms, seller, buyer, holdId }: AgreementPaperProps) {
  const agreement = agreementOf(terms)
  return (
    <PaperSheet title={agreement.title} meta={texts.sampleMark(agreement.version)}>
      <p className={classes.words}>{agreement.sample}</p>
      <FactTable facts={agreement.facts.map(({ label, value }) => ({ term: label, value }))} />
      {agreement.payment && <Unnumbered {...agreement.payment} />}
      <p id={holdId} className={classes.words}>
        {agreement.exclusivity}
      </p>
      <Unnumbered {...agreement.disclaimer} />
      <PaperSections
        sections={agreement.sections.map(({ title, paragraphs }) => ({
          title,
          text: <Paragraphs of={paragraphs} />,
        }))}
      />
      <Signatures>
        <Line role={texts.seller} party={terms.sellerName} {...seller} />
        <Line role={texts.buyer} party={terms.buyerName} {...buyer} />
      </Signatures>
    </PaperSheet>
  )
}

export const sellerLine = (progress: Progress) => ({
  name: progress.sellerSignedName,
  signature: progress.sellerSignature,
  drawing: progress.sellerDrawing,
  signedAt: progress.sellerSignedAt,
})

export const buyerLine = (progress: Progress) => ({
  name: progress.buyerSignedName,
  signature: progress.buyerSignature,
  drawing: progress.buyerDrawing,
  signedAt: progress.buyerSignedAt,
})

const Unnumbered = ({ title, paragraphs }: { title: string; paragraphs: readonly string[] }) => (
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

function Line({
  role,
  party,
  name,
  signature,
  drawing,
  signedAt,
}: SheetSignature & { role: string; party: string }) {
  return (
    <SignatureLine
      role={role}
      name={name || party}
      signature={signature || undefined}
      drawing={drawing ?? undefined}
      signedAt={signedAt ?? undefined}
      state={signedAt ? texts.signed : texts.notSignedYet}
    />
  )
}
