import { suspensionTexts } from '@keyturn/contract/accounts/suspension-texts.ts'
import type { Trade } from '@keyturn/contract/trades/endpoints.ts'
import { possibleTradeMoves, type TradeStatus, takesOffer } from '@keyturn/contract/trades/rules.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import type { TurnState } from '../../components/display/turn.tsx'

type Texts = Record<TradeStatus, string | null>

/** Says whose turn it is, from the owner's point of view. */
export const ownerTurn = ({ status, isPaused }: Trade): TurnState | undefined =>
  isPaused
    ? paused
    : turnOf(
        status,
        tradeTexts.dialog.turns,
        possibleTradeMoves(status, 'OWNER').some(({ name }) => name === 'accept'),
      )

export const isOwnersTurn = (trade: Trade) => ownerTurn(trade)?.mine === true

export const sortOwnersTurnFirst = (trades: readonly Trade[]): Trade[] => {
  const place = (trade: Trade) => (isOwnersTurn(trade) ? 0 : 1)
  return [...trades].sort((one, other) => place(one) - place(other))
}

export const wholesalerTurn = (trade: Trade): TurnState | undefined =>
  trade.isPaused ? paused : turnOf(trade.status, tradeTexts.wholesaler.turns, takesOffer(trade))

/** Nobody's turn: an account is suspended (R-accounts-64). */
const paused: TurnState = { text: suspensionTexts.paused.tradeTurn, mine: false }

function turnOf(status: TradeStatus, texts: Texts, mine: boolean): TurnState | undefined {
  const text = texts[status]
  return text === null ? undefined : { text, mine }
}
