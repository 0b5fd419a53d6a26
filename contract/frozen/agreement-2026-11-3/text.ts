import { agreement20261102 } from '../agreement-2026-11-2/text.ts'
import type { AgreementWords20261103, Terms20261103 } from './sheet.ts'

// Released, and people may have signed it: never edited. A changed sentence is a new version (docs/how-to.md).

const version = '2026-11-3'

// Formats of its own: those of the product may change, and a released text may not.
const dollars = (fractionDigits: number) =>
  new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: fractionDigits,
    maximumFractionDigits: fractionDigits,
  })
const wholeDollars = dollars(0)
const dollarsAndCents = dollars(2)
const usd = (cents: number): string =>
  (cents % 100 === 0 ? wholeDollars : dollarsAndCents).format(cents / 100)

/** The sentences of 2026-11-2, with a date that names its zone, and with the loans. */
function write(terms: Terms20261103): AgreementWords20261103 {
  const { facts, ...words } = agreement20261102.write({ ...terms, textVersion: '2026-11-2' })
  const { day, zone, trades } = terms
  const [year, month, date] = day.split('-')
  const owed = trades.filter(({ owes }) => owes)
  const changed: Record<string, string> = {
    Date: `${month}/${date}/${year} (${zone})`,
    'Left to pay': leftLine(terms),
    'Seller’s loan': sellerLine(terms),
  }
  return {
    ...words,
    version,
    facts: facts.flatMap(({ label, value }) => [
      { label, value: changed[label] ?? value },
      ...(label === 'Trade-in' && owed.length > 0
        ? [
            {
              label: 'Owed on the trade-in',
              value: owed.map((one) => loanLine(one, trades.length)).join('; '),
            },
          ]
        : []),
    ]),
    payment: {
      title: 'Price and payment',
      paragraphs: [
        'What is left to pay is the agreed price, less the value of each trade-in above, plus each payoff amount above that is owed on a trade-in. The value of a trade-in is the offer that the buyer has accepted for it. A loan on a trade-in without a payoff amount above is not included, and has to be paid off as well. The seller’s loan does not change what is left to pay. Taxes, fees and the cost of a loan are not part of it.',
        'A payoff amount is what the seller or the buyer has stated for their own car. It changes with time: the lender’s payoff quote on the day of payment controls.',
      ],
    },
  }
}

type TradeTerms = Terms20261103['trades'][number]

function loanLine({ year, make, model, payoffAmount, lender }: TradeTerms, trades: number): string {
  const car = trades > 1 ? `${year} ${make} ${model}: ` : ''
  if (payoffAmount === null) return `${car}Amount not stated${lender && `, owed to ${lender}`}`
  return `${car}${usd(payoffAmount)}${lender && ` to ${lender}`}`
}

function leftLine({ leftToPay, trades }: Terms20261103): string {
  const isStated = trades.some(({ owes, payoffAmount }) => owes && payoffAmount !== null)
  const left =
    leftToPay < 0
      ? `$0. The trade-in is worth ${usd(-leftToPay)} more than the price${isStated ? ' and what is stated as owed on it' : ''}.`
      : usd(leftToPay)
  const isUnknown = trades.some(({ owes, payoffAmount }) => owes && payoffAmount === null)
  if (!isUnknown) return left
  return `${left.replace(/\.?$/, '.')} A loan on a trade-in is not included, because its payoff amount is not stated.`
}

function sellerLine({ sellerOwes, sellerPayoffAmount, sellerLender }: Terms20261103): string {
  if (!sellerOwes) return 'The seller states that no money is owed on this car.'
  const amount = sellerPayoffAmount === null ? 'money' : usd(sellerPayoffAmount)
  return `The seller still owes ${sellerLender && `${sellerLender} `}${amount} on this car. The loan is paid off before the title passes.`
}

export const agreement20261103 = { write }
