import { fullName, type Party } from '@keyturn/contract/accounts/rules.ts'
import { buildAgreement } from '@keyturn/contract/agreements/agreement.ts'
import { currentConsent } from '@keyturn/contract/agreements/consent.ts'
import { drawingTexts } from '@keyturn/contract/agreements/drawing-texts.ts'
import { readDraftPdf, reportShownSheet } from '@keyturn/contract/agreements/endpoints.ts'
import { addLatinSpelling, latinSpelling } from '@keyturn/contract/agreements/latin-spelling.ts'
import { termSheetTexts as texts } from '@keyturn/contract/agreements/term-sheet-texts.ts'
import { updateProgress } from '@keyturn/contract/deals/endpoints.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { termsTexts } from '@keyturn/contract/deals/terms-texts.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { ApiError } from '@keyturn/contract/shared/error.ts'
import { signatureText } from '@keyturn/contract/shared/fields.ts'
import { SimpleGrid, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ComponentType, type ReactNode, useEffect, useRef, useState } from 'react'
import { type Change, changesBetween } from '../../api/mutations/changes.ts'
import { DecisionChanges } from '../../api/mutations/decision-changes.tsx'
import { useDecision } from '../../api/mutations/use-decision.ts'
import { useEndpointMutation } from '../../api/mutations/use-endpoint-mutation.ts'
import { fetchDocument, send } from '../../api/send.ts'
import { Dialog } from '../../components/feedback/dialog.tsx'
import { DownloadButton } from '../../components/feedback/download-button.tsx'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { FormActions } from '../../components/feedback/form-actions.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import { Spinner } from '../../components/feedback/spinner.tsx'
import { WorkButton } from '../../components/feedback/work-button.tsx'
import { TextField } from '../../components/fields/text-field.tsx'
import { IconSignature } from '../../components/icons.tsx'
import { isPasswordRequired, useCurrentPassword } from '../accounts/use-current-password.tsx'
import { consentQuery } from '../deals/queries.ts'
import {
  AgreementSheet,
  readBuyerSignature,
  readSellerSignature,
  type SheetTerms,
} from './agreement-sheet.tsx'
import { ConsentToSign } from './consent-to-sign.tsx'
import type { DrawingPadProps } from './drawing-pad.tsx'
import { SigningSummary } from './signing-summary.tsx'

const { promised } = termsTexts
const { news } = dealTexts.home

type SigningDialogProps = {
  progress: Progress
  terms: SheetTerms
  side: Party
  lead?: ReactNode
  onClose: () => void
}
type Prompt = 'nothing' | 'both' | 'name'

/**
 * Signs the agreement. If terms change while it is open, the changes are shown first, because only
 * terms that were read may be signed.
 */
export function SigningDialog({ progress, terms, side, lead, onClose }: SigningDialogProps) {
  const account = fullName(side === 'SELLER' ? progress.seller : progress.buyer)
  // The name is filled in from the account, but the signature must always be typed (decision 33).
  const [name, setName] = useState(account)
  const [signature, setSignature] = useState('')
  const [drawing, setDrawing] = useState<string | null>(null)
  // What the server refused because the papers cannot print it.
  const [unprintable, setUnprintable] = useState<readonly string[]>([])
  const [spelling, setSpelling] = useState('')
  const spellingField = useRef<HTMLInputElement>(null)
  const consent = useQuery(consentQuery)
  const [prompt, setPrompt] = useState<Prompt>('nothing')
  const nameField = useRef<HTMLInputElement>(null)
  const signatureField = useRef<HTMLInputElement>(null)
  const signing = useEndpointMutation(updateProgress, {
    refresh: [['deals'], ['cars']],
    success: texts.signed,
  })
  const decision = useDecision({
    by: signing,
    current: { progress, terms },
    newsOf: newsOfTerms,
    isOwn: false,
  })
  const { read } = decision
  useReportedSheet(read)
  const password = useCurrentPassword(updateProgress)
  const parsed = { name: parseWords(name), signature: parseWords(signature) }
  const typed = { name: parsed.name.words, signature: parsed.signature.words }
  const spelled = latinSpelling.safeParse(spelling)
  const toSpell = [typed.name, typed.signature].filter((words) => unprintable.includes(words))
  const spell = (words: string) =>
    spelled.success && toSpell.includes(words) ? addLatinSpelling(words, spelled.data) : words
  const signatureShown = { name: spell(typed.name), signature: spell(typed.signature), drawing }
  const isTooLong = toSpell.some((words) => !signatureText.safeParse(spell(words)).success)
  const spellingFault = spelled.error?.issues[0]?.message ?? (isTooLong ? texts.latinSpellingLong : undefined)

  const sign = async () => {
    const empty = [!typed.name && nameField, !typed.signature && signatureField].find(
      (field) => field !== false,
    )
    if (empty) {
      setPrompt('both')
      return empty.current?.focus()
    }
    if (parsed.name.fault) return nameField.current?.focus()
    if (parsed.signature.fault) return signatureField.current?.focus()
    if (toSpell.length > 0 && spellingFault) return spellingField.current?.focus()
    if (prompt !== 'name' && !isSameName(name, account)) return setPrompt('name')
    const done = await password
      .sendWith((known) =>
        decision.act((shown) => ({ body: signingBody(shown, side, { ...signatureShown, ...known }) })),
      )
      .catch((error) => {
        if (isSpellingRequired(error))
          setUnprintable(
            (error.fields ?? []).map(({ path }) => (path.endsWith('Name') ? typed.name : typed.signature)),
          )
      })
    if (done) onClose()
  }
  const updateField = (set: (text: string) => void) => (text: string) => {
    set(text)
    setPrompt((before) => (before === 'name' ? 'nothing' : before))
  }

  return (
    <Dialog
      title={buildAgreement(read.terms).title}
      size="lg"
      onClose={onClose}
      onSubmit={sign}
      busy={signing.isWorking}
      trouble={
        <DecisionChanges decision={decision} {...newsTextsFor(decision.changes)}>
          {describeProblem()}
        </DecisionChanges>
      }
      actions={
        <FormActions
          cancel={prompt === 'name' ? texts.changeName : undefined}
          onCancel={prompt === 'name' ? () => nameField.current?.focus() : onClose}
          busy={signing.isWorking}
          disabled={decision.isStale || consent.isPending}
        >
          {prompt === 'name' ? texts.signAs(typed.name) : texts.agree}
        </FormActions>
      }
    >
      {lead}
      <SigningSummary terms={read.terms} side={side} car={read.progress.carDetails} />
      <AgreementSheet
        terms={read.terms}
        seller={side === 'SELLER' ? signatureShown : readSellerSignature(read.progress)}
        buyer={side === 'BUYER' ? signatureShown : readBuyerSignature(read.progress)}
      />
      {read.progress.taken && (
        <Notice kind="waiting" title={promised.title}>
          {promised.beforeSigning}
        </Notice>
      )}
      {/* If the consent could not be loaded, the whole text is shown. */}
      {consent.isPending ? (
        <>
          <Spinner />
          <DraftPdf progress={read.progress} />
        </>
      ) : (
        <ConsentToSign consent={consent.data?.consent ?? null} address={consent.data?.address ?? ''}>
          <DraftPdf progress={read.progress} />
        </ConsentToSign>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <TextField
          ref={nameField}
          label={texts.name}
          autoComplete="name"
          maxLength={255}
          value={name}
          error={parsed.name.fault ?? (prompt === 'both' && !typed.name)}
          onChange={(event) => updateField(setName)(event.currentTarget.value)}
        />
        <TextField
          ref={signatureField}
          label={texts.signature}
          description={texts.signatureHint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autoComplete="off"
          maxLength={255}
          value={signature}
          error={parsed.signature.fault ?? (prompt === 'both' && !typed.signature)}
          onChange={(event) => updateField(setSignature)(event.currentTarget.value)}
        />
      </SimpleGrid>
      {toSpell.length > 0 && (
        <TextField
          ref={spellingField}
          label={texts.latinSpelling}
          description={texts.latinSpellingHint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autoComplete="off"
          autoFocus
          maxLength={100}
          value={spelling}
          error={spelling !== '' && spellingFault}
          onChange={(event) => setSpelling(event.currentTarget.value)}
        />
      )}
      <DrawingField onDrawn={setDrawing} />
      {password.field}
    </Dialog>
  )

  function describeProblem(): ReactNode {
    if (prompt === 'both' && !(typed.name && typed.signature))
      return <ErrorNotice>{texts.missing}</ErrorNotice>
    if (prompt === 'name') return <Notice kind="info">{texts.nameDiffers(account)}</Notice>
    // The password field already explains this error.
    if (isPasswordRequired(signing.error)) return null
    return signing.error && <ErrorNotice>{signing.error.message}</ErrorNotice>
  }
}

/**
 * Reports once for each version that this page shows the sheet; the certificate of signatures lists
 * the first time. A lost report is not repeated, because the certificate then says "not recorded".
 */
function useReportedSheet({ progress, terms }: ReadTerms): void {
  const { _id: dealId, version } = progress
  const { textVersion } = terms
  useEffect(() => {
    send(reportShownSheet, { params: { dealId }, body: { version, textVersion } }).catch(() => undefined)
  }, [dealId, version, textVersion])
}

/** Offers the sheet in the form in which both sides get it (15 USC 7001(c)(1)(C)(ii)). */
const DraftPdf = ({ progress: { _id: dealId, vin } }: { progress: Progress }) => (
  <DownloadButton
    size="sm"
    fetchFile={() => fetchDocument(readDraftPdf, { params: { dealId } })}
    name={texts.draftFileName(vin)}
    working={texts.downloading}
    failed={texts.downloadFailed}
  >
    {texts.downloadDraft}
  </DownloadButton>
)

/**
 * Returns the text as the server would store it, empty if nothing is visible, and its fault if it
 * has one.
 */
function parseWords(text: string): { words: string; fault?: string } {
  const read = signatureText.safeParse(text)
  return read.success ? { words: read.data } : { words: text.trim(), fault: read.error.issues[0]?.message }
}

const newsOfTerms = (before: ReadTerms, after: ReadTerms): Change[] => [
  ...changesBetween(buildAgreement(before.terms).facts, buildAgreement(after.terms).facts),
  ...newsOfCar(before.progress.taken, after.progress.taken),
  ...newsOfText(before.terms.textVersion, after.terms.textVersion),
]

/** The operator may replace the text between the reading and the signature. */
const newsOfText = (before: string, after: string): Change[] =>
  before === after ? [] : [{ label: texts.changed, before: '', after: '', sentence: texts.textChanged }]

const newsTextsFor = (changes: readonly Change[]) =>
  changes.some(({ label }) => label !== promised.label)
    ? { changed: texts.changed, goOn: texts.readAgain }
    : { changed: news.changed, goOn: news.goOn }

/**
 * Reports that another buyer was confirmed or has left, which changes what a signature does
 * (R-deals-55).
 */
const newsOfCar = (before: boolean, after: boolean): Change[] =>
  before === after
    ? []
    : [{ label: promised.label, before: '', after: '', sentence: after ? promised.title : promised.over }]

type GivenSignature = { name: string; signature: string; drawing: string | null; currentPassword?: string }
type ReadTerms = { progress: Progress; terms: SheetTerms }
/**
 * The request lists all of the side's steps up to the signature: 0 to 2 for the seller, 1 to 7 for
 * the buyer (R-deals-8).
 */
function signingBody(
  { progress, terms: { textVersion } }: ReadTerms,
  side: Party,
  { name, signature, drawing, ...given }: GivenSignature,
) {
  const { sellerId: userId, vin, version } = progress
  const shared = {
    userType: side,
    agreementSigned: true,
    consent: currentConsent.version,
    textVersion,
    ...given,
  }
  const ownStep =
    side === 'SELLER'
      ? {
          step: [0, 1, 2],
          sellerSigned: true,
          sellerSignedName: name,
          sellerSignature: signature,
          sellerDrawing: drawing,
        }
      : {
          step: [1, 2, 3, 4, 5, 6, 7],
          buyerSigned: true,
          buyerSignedName: name,
          buyerSignature: signature,
          buyerDrawing: drawing,
        }
  return { userId, vin, version, data: { ...shared, ...ownStep } }
}

const isSpellingRequired = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'LatinSpellingRequired'

const isSameName = (one: string, other: string) => normalizeName(one) === normalizeName(other)
const normalizeName = (name: string) =>
  name.normalize('NFC').trim().replace(/\s+/g, ' ').toLocaleLowerCase('en-US')

/** Adds a drawing to the typed signature (R-deals-68). The pad is loaded on demand. */
function DrawingField({ onDrawn }: { onDrawn: (drawing: string | null) => void }) {
  const [Pad, setPad] = useState<ComponentType<DrawingPadProps> | null>(null)
  const [isMissing, setMissing] = useState(false)
  const open = async () => {
    setMissing(false)
    await import('./drawing-pad.tsx').then(
      ({ DrawingPad }) => setPad(() => DrawingPad),
      () => setMissing(true),
    )
  }
  const close = () => {
    setPad(null)
    onDrawn(null)
  }
  if (Pad) return <Pad onDrawn={onDrawn} onClose={close} />
  return (
    <Stack gap="xs" align="flex-start">
      <WorkButton variant="subtle" leftSection={<IconSignature size={20} stroke={1.75} />} onClick={open}>
        {drawingTexts.open}
      </WorkButton>
      {isMissing && <ErrorNotice>{drawingTexts.notLoaded}</ErrorNotice>}
    </Stack>
  )
}
