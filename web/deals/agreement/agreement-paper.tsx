import { agreementOf } from '@keyturn/contract/deals/agreement.ts'
import { termSheetTexts as texts } from '@keyturn/contract/deals/agreement-texts.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { Text } from '@mantine/core'
import { FactTable } from '../../ui/lists/fact-table.tsx'
import { PaperSections, PaperSheet, SignatureLine, Signatures } from './paper.tsx'

export type SheetTerms = NonNullable<Progress['terms']>
/** One side's signature as the sheet shows it; without `signedAt` it is still being typed, or missing. */
type SheetSignature = { name?: string | null; signature?: string | null; signedAt?: string | null }

type AgreementPaperProps = { terms: SheetTerms; seller: SheetSignature; buyer: SheetSignature }

/** The Vehicle Sale Agreement as it is signed, read and printed: one sheet for both sides. */
export function AgreementPaper({ terms, seller, buyer }: AgreementPaperProps) {
  const agreement = agreementOf(terms)
  return (
    <PaperSheet title={agreement.title} meta={texts.sampleMark(agreement.version)}>
      <Text size="sm">{agreement.sample}</Text>
      <FactTable facts={agreement.facts.map(({ label, value }) => ({ term: label, value }))} />
      {agreement.payment && <Unnumbered {...agreement.payment} />}
      <Text size="sm">{agreement.exclusivity}</Text>
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
  signedAt: progress.sellerSignedAt,
})

export const buyerLine = (progress: Progress) => ({
  name: progress.buyerSignedName,
  signature: progress.buyerSignature,
  signedAt: progress.buyerSignedAt,
})

const Unnumbered = ({ title, paragraphs }: { title: string; paragraphs: readonly string[] }) => (
  <section>
    <Text component="h3" size="sm" fw="bold">
      {title}
    </Text>
    <Paragraphs of={paragraphs} />
  </section>
)

const Paragraphs = ({ of }: { of: readonly string[] }) =>
  of.map((paragraph) => (
    <Text key={paragraph} size="sm">
      {paragraph}
    </Text>
  ))

function Line({ role, party, name, signature, signedAt }: SheetSignature & { role: string; party: string }) {
  return (
    <SignatureLine
      role={role}
      name={name || party}
      signature={signature || undefined}
      signedAt={signedAt ?? undefined}
      state={signedAt ? texts.signed : texts.notSignedYet}
    />
  )
}
