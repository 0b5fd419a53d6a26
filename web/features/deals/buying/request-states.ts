import { buyingTexts } from '@keyturn/contract/deals/buying-texts.ts'
import type { DealStatus } from '@keyturn/contract/deals/rules.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { wizardTexts } from '@keyturn/contract/deals/wizard-texts.ts'

const { news } = dealTexts.home
const { lead, leadConfirmed } = wizardTexts.signing

type ToSeller = (seller: string) => string
type RequestState = {
  /** Tells the buyer that the request now has this status. */
  news: string | null
  /** Introduces the signature; null where the request was denied. */
  lead: ToSeller | null
  /** Says what the buyer waits for after signing. */
  signed: ToSeller
}

/** Texts about a buyer's request, by status. */
export const requestStates: Record<DealStatus, RequestState> = {
  STARTED: { news: null, lead, signed: buyingTexts.waitingForSellersConfirmation },
  PENDING: { news: news.pendingAgain, lead, signed: buyingTexts.waitingForSellersConfirmation },
  ACCEPTED: { news: buyingTexts.alreadyConfirmed, lead: leadConfirmed, signed: buyingTexts.waitingForSeller },
  REJECTED: { news: news.rejected, lead: null, signed: buyingTexts.waitingForSellersConfirmation },
  COMPLETED: { news: null, lead, signed: () => buyingTexts.completed },
}
