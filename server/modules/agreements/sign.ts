import { parseConsentVersion } from '@keyturn/contract/agreements/consent.ts'
import { hasLatinSpelling } from '@keyturn/contract/agreements/latin-spelling.ts'
import { encodeSheet } from '@keyturn/contract/agreements/sheet.ts'
import { termSheetTexts } from '@keyturn/contract/agreements/term-sheet-texts.ts'
import { holdEnd, isBlockedByLapse } from '@keyturn/contract/deals/rules.ts'
import { encodeTerms, type Terms } from '@keyturn/contract/deals/terms.ts'
import { dealErrors } from '@keyturn/contract/deals/texts.ts'
import { apiErrors, type FieldError } from '@keyturn/contract/shared/error.ts'
import { newOwnedId } from '../../platform/database/new-id.ts'
import type { Db } from '../../platform/database/open-database.ts'
import type { SessionContext } from '../../platform/http/change-context.ts'
import { requireFreshVersion } from '../../platform/http/require-fresh-version.ts'
import { findUndrawable } from '../../shared/text-layout.ts'
import type { Signer } from '../accounts/people/lock-person.ts'
import { type DealView, readDealView } from '../deals/deal-view-repository.ts'
import { recordDealEvent } from '../deals/event-repository.ts'
import { toDealFacts, toRequestedTrades, toTerms } from '../deals/mappers.ts'
import { notifySigned } from '../deals/notify.ts'
import { encodeProgress, requireMove } from '../deals/purchase/deal-moves.ts'
import { scheduleHoldEnd } from '../deals/purchase/hold.ts'
import type { SigningForm, SignTerms } from '../deals/purchase/update-progress.ts'
import * as store from '../deals/repository.ts'
import { columnsAfterMove } from '../deals/repository.ts'
import { findConsent, giveConsent } from './consents.ts'
import { createDealPackage, type DealerHandover } from './create-deal-package.ts'
import { sha256, signatureHash, signatureHashVersion } from './evidence-hashes.ts'
import { appendToLog } from './evidence-log/evidence-log.ts'
import type { LogEntry } from './evidence-log/log-repository.ts'
import * as signatureStore from './signature-repository.ts'
import { upsertSignedPhotos } from './signed-photos.ts'

/**
 * Signs the current terms for one side of a locked deal (R-deals-31). Repeating a signature changes
 * nothing; a different one throws `AlreadySigned`. The signature that completes the pair passes the
 * deal to its dealer.
 */
export const signWith =
  (passToDealer: DealerHandover): SignTerms =>
  async (deps, tx, by, side, view, now, form) => {
    const { name, signature, signer, withPassword } = form
    if (!name || !signature || !signer) throw missingFieldsError(side, form)
    const drawing = form.drawing ?? null
    const own = side === 'SELLER' ? view.sellerSignature : view.buyerSignature
    if (own) {
      if (own.name === name && own.signature === signature && own.drawing === drawing) return
      throw dealErrors.AlreadySigned()
    }
    requireLegible(side, { name, signature })
    const current = () => encodeProgress(view, deps, by.actorId)
    // Checked first: the end of the hold also raised the versions, and the signer should learn that
    // the time is over.
    if (isBlockedByLapse(toDealFacts(view), side)) throw dealErrors.ExclusivityExpired({ current: current() })
    requireFreshVersion(form.version, [view.deal.version], current)
    const move = requireMove(view, side, ['sign'], current)
    const terms = toTerms(view, deps.config)
    if (!terms) throw dealErrors.InvalidTransition({ current: current() })
    // A caller that names no version may have read another one of the operator's text.
    const shownVersion = form.textVersion ?? (terms.words ? null : terms.textVersion)
    if (shownVersion !== terms.textVersion) throw apiErrors.StaleVersion({ current: current() })
    const consentVersion = await storeConsent(tx, by, form.consent, current)
    const entry = await storeSignature(tx, by, side, view, terms, now, {
      name,
      signature,
      drawing,
      consentVersion,
      signer,
      withPassword,
    })
    const { photos } = view.car
    await recordDealEvent(tx, view.deal.id, move.by, by, {
      event: side === 'SELLER' ? 'sellerSigned' : 'buyerSigned',
      name,
      ...(photos.length > 0 && { photos: photos.map(({ id }) => id) }),
    })
    await upsertSignedPhotos(tx, view, photos)
    const exclusiveUntil = new Date(holdEnd(now.getTime()))
    if (side === 'SELLER') {
      await store.saveDeal(tx, view.deal.id, { ...columnsAfterMove(move), exclusiveUntil })
      await scheduleHoldEnd(tx, view.deal.id, exclusiveUntil)
    } else
      await store.saveDeal(tx, view.deal.id, {
        ...columnsAfterMove(move),
        activeStep: 6,
        reachedStep: 6,
        ...toRequestedTrades(view),
      })
    await notifySigned(deps, tx, side, view, exclusiveUntil)
    const signed = await readDealView(tx, view.deal.id)
    if (signed.sellerSignature && signed.buyerSignature)
      await createDealPackage(deps, tx, by, side, signed, entry, passToDealer)
    // Last, because it locks the log.
    else await appendToLog(deps, tx, [entry])
  }

/**
 * Stores the consent sent with a signature; returns null when there is none (R-deals-66). After a
 * withdrawal, signing requires a new consent (R-deals-67).
 */
async function storeConsent(
  tx: Db,
  by: SessionContext,
  input: SigningForm['consent'],
  current: () => unknown,
): Promise<string | null> {
  const version = parseConsentVersion(input)
  if (version !== null) {
    await giveConsent(tx, by, version)
    return version
  }
  const [lastConsent] = await findConsent(tx, { personId: by.actorId })
  if (lastConsent?.deed === 'withdrawn') throw dealErrors.ConsentWithdrawn({ current: current() })
  return null
}

async function storeSignature(
  tx: Db,
  by: SessionContext,
  side: 'SELLER' | 'BUYER',
  view: DealView,
  terms: Terms,
  now: Date,
  { signer, withPassword, ...input }: SignatureInput,
): Promise<LogEntry> {
  const sheet = encodeSheet(terms)
  const sheetHash = sha256(sheet)
  const other = (view.sellerSignature ?? view.buyerSignature)?.sheetHash
  if (other && !other.equals(sheetHash))
    throw new Error('The sheet differs from the one that the other party signed')
  const [last] = await signatureStore.findLastSignatureHash(tx, { dealId: view.deal.id })
  const evidence = {
    id: newOwnedId(view.deal.id),
    dealId: view.deal.id,
    party: side,
    signerId: by.actorId,
    signerEmail: signer.email,
    signerVerifiedAt: signer.verifiedAt,
    sessionId: by.sessionId,
    ...input,
    carTermsVersion: view.car.termsVersion,
    dealTermsVersion: view.deal.termsVersion,
    terms: encodeTerms(terms),
    textVersion: terms.textVersion,
    hashedAs: signatureHashVersion,
    sheet,
    signedAt: now,
    ip: by.ip,
    userAgent: by.userAgent,
  }
  const previousHash = last?.hash ?? null
  const hash = signatureHash(evidence, previousHash)
  await signatureStore.insertSignature(tx, {
    ...evidence,
    termsHash: sha256(evidence.terms),
    sheetHash,
    previousHash,
    hash,
  })
  await signatureStore.insertSignerAct(tx, {
    dealId: view.deal.id,
    personId: by.actorId,
    act: 'signed',
    sheetHash,
    sessionId: by.sessionId,
    withPassword,
    signatureId: evidence.id,
  })
  await signatureStore.insertPasskeySignature(tx, {
    signatureId: evidence.id,
    dealId: view.deal.id,
    sessionId: by.sessionId,
  })
  return { kind: 'signature', rowId: evidence.id, digest: hash }
}

type SignatureInput = {
  name: string
  signature: string
  drawing: string | null
  consentVersion: string | null
  signer: Signer
  withPassword: boolean
}

/**
 * Requires a Latin spelling behind a name or signature that the papers cannot print (R-deals-103).
 * An account's name needs none, because papers print the signed name beside it.
 */
function requireLegible(side: 'SELLER' | 'BUYER', signed: { name: string; signature: string }): void {
  const isLegible = (words: string) => !findUndrawable(words) || hasLatinSpelling(words)
  const { message } = dealErrors.LatinSpellingRequired()
  const fields = fieldErrors(
    side,
    { name: isLegible(signed.name), signature: isLegible(signed.signature) },
    message,
  )
  if (fields.length > 0) throw dealErrors.LatinSpellingRequired({ fields })
}

function missingFieldsError(side: 'SELLER' | 'BUYER', { name, signature }: SigningForm) {
  const message = termSheetTexts.missing
  return apiErrors.ValidationError({ message, fields: fieldErrors(side, { name, signature }, message) })
}

/** Returns an error for each of the two fields that has no truthy value. */
function fieldErrors(
  side: 'SELLER' | 'BUYER',
  { name, signature }: { name?: unknown; signature?: unknown },
  message: string,
): FieldError[] {
  const prefix = side === 'SELLER' ? 'seller' : 'buyer'
  return [
    ...(name ? [] : [{ path: `data.${prefix}SignedName`, message }]),
    ...(signature ? [] : [{ path: `data.${prefix}Signature`, message }]),
  ]
}
