import type { reportShownSheet } from '@keyturn/contract/agreements/endpoints.ts'
import { encodeSheet } from '@keyturn/contract/agreements/sheet.ts'
import { termSheetTexts } from '@keyturn/contract/agreements/term-sheet-texts.ts'
import { findDealMove } from '@keyturn/contract/deals/rules.ts'
import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Deps } from '../../../deps.ts'
import type { SessionContext } from '../../../platform/http/change-context.ts'
import { readDealView } from '../../deals/deal-view-repository.ts'
import { toDealFacts, toTerms } from '../../deals/mappers.ts'
import { encodeProgress } from '../../deals/purchase/deal-moves.ts'
import { sha256 } from '../evidence-hashes.ts'
import type { PaperPrinter } from '../paperwork/paper-printer.ts'
import { insertSignerAct } from '../signature-repository.ts'

/** Records once that a page showed this sheet to a party who can sign it (R-deals-113). */
export async function recordShownSheet(
  deps: Deps,
  by: SessionContext,
  dealId: string,
  shown: EndpointInput<typeof reportShownSheet>['body'],
): Promise<void> {
  const { view, terms, sheet } = await readSheetToSign(deps, by.actorId, dealId)
  if (view.deal.version !== shown.version || terms.textVersion !== shown.textVersion)
    throw apiErrors.StaleVersion({ current: encodeProgress(view, deps, by.actorId) })
  await recordAct(deps, by, dealId, 'shown', sheet)
}

/** Draws the sheet as an unsigned draft for a party who can sign it, and records that (R-deals-114). */
export async function printDraft(deps: Deps, printer: PaperPrinter, by: SessionContext, dealId: string) {
  const { view, terms, sheet } = await readSheetToSign(deps, by.actorId, dealId)
  const agreement = { terms, sheet, hash: sha256(sheet).toString('hex') }
  const draft = { _id: dealId, createdAt: view.now.toISOString(), size: 'Letter', agreement } as const
  const bytes = await printer.print({ draft }, by.actorId)
  await recordAct(deps, by, dealId, 'pdf', sheet)
  return { name: termSheetTexts.draftFileName(terms.vin), bytes }
}

/** Throws the same `NotFound` for a stranger, for a missing deal, and when the caller cannot sign. */
async function readSheetToSign(deps: Deps, personId: string, dealId: string) {
  const view = await readDealView(deps.db, dealId)
  const { deal, car } = view
  const side = personId === deal.sellerId ? 'SELLER' : personId === deal.buyerId ? 'BUYER' : null
  const canSign =
    side && !car.completedAt && !deal.withdrawnAt && findDealMove(toDealFacts(view), side, 'sign')
  const terms = canSign && toTerms(view, deps.config)
  if (!terms) throw apiErrors.NotFound()
  return { view, terms, sheet: encodeSheet(terms) }
}

const recordAct = (
  { db }: Deps,
  { actorId: personId, sessionId }: SessionContext,
  dealId: string,
  act: 'shown' | 'pdf',
  sheet: string,
) =>
  insertSignerAct(db, {
    dealId,
    personId,
    act,
    sheetHash: sha256(sheet),
    sessionId,
    withPassword: false,
    signatureId: null,
  })
