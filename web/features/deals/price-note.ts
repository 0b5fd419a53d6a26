import { isReserved } from '@keyturn/contract/deals/rules.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { formatUsd } from '@keyturn/contract/shared/money.ts'

const { prices } = dealTexts.home

type Priced = Pick<Progress, 'status' | 'price' | 'askingPrice'>

/** Says what the price in a deal's header is, followed by the asking price if it differs. */
export function priceNote({ status, price, askingPrice }: Priced): string[] {
  if (price === null) return askingPrice === null ? [] : [prices.asking]
  const name = isReserved(status) ? prices.agreed : prices.yours
  return askingPrice === null || askingPrice === price
    ? [name]
    : [name, onOneLine(`${prices.asking} ${formatUsd(askingPrice)}`)]
}

const onOneLine = (words: string) => words.replaceAll(' ', '\u00a0')
