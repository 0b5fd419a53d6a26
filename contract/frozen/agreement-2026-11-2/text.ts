import type { AgreementWords20261102, Terms20261102 } from './sheet.ts'

// Released, and people may have signed it: never edited. A changed sentence is a new version (docs/how-to.md).

const version = '2026-11-2'

/** In one zone, wherever it is read: both sides sign the same bytes. */
const usDate = new Intl.DateTimeFormat('en-US', {
  month: '2-digit',
  day: '2-digit',
  year: 'numeric',
  timeZone: 'UTC',
})

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

function write(terms: Terms20261102): AgreementWords20261102 {
  const { trades, leftToPay, sellerOwes } = terms
  if (trades === undefined || leftToPay === undefined || sellerOwes === undefined)
    throw new Error(`Terms of version ${version} name trade-ins, what is left to pay and the seller's loan`)
  return {
    title: 'Vehicle Sale Agreement',
    version,
    sample:
      'Sample text, not legal advice. It is a private agreement of intent and exclusivity between the seller and the buyer until the dealer’s documents take its place.',
    facts: [
      { label: 'Date', value: usDate.format(new Date(terms.date)) },
      { label: 'Seller', value: terms.sellerName },
      { label: 'Buyer', value: terms.buyerName },
      { label: 'Vehicle make', value: terms.make },
      { label: 'Model', value: terms.model },
      { label: 'Year', value: String(terms.year) },
      { label: 'VIN', value: terms.vin },
      { label: 'Mileage', value: `${terms.mileage.toLocaleString('en-US')} miles` },
      { label: 'Agreed price', value: usd(terms.price) },
      { label: 'Trade-in', value: trades.map(tradeLine).join('; ') || 'None' },
      { label: 'Left to pay', value: leftLine(leftToPay) },
      { label: 'Seller’s loan', value: sellerOwes ? owes : owesNothing },
    ],
    payment: {
      title: 'Price and payment',
      paragraphs: [
        'What is left to pay is the agreed price less the value of each trade-in above, which is the offer that the buyer has accepted for it. Taxes, fees and the cost of a loan are not part of it.',
      ],
    },
    exclusivity:
      'The seller agrees not to sell the vehicle to any other buyer for 72 hours while the buyer completes the purchase steps. The 72 hours begin with the seller’s signature.',
    disclaimer: {
      title: 'Liability disclaimer and hold harmless',
      paragraphs: [
        'Keyturn provides the tools with which the seller and the buyer arrange this sale. Keyturn is a facilitator only. It does not own, inspect, buy or sell the vehicle, and it is not a party to the sale.',
        'The mileage above is what the seller stated. It does not replace the odometer disclosure that the law asks for on the title.',
      ],
    },
    sections: [
      {
        title: 'No agency',
        paragraphs: [
          'Keyturn acts for neither side. Nothing in this agreement, and nothing that Keyturn does to help with the sale, makes Keyturn an agent, broker, partner, employee or representative of the seller or of the buyer. Neither side may make a promise in the name of Keyturn.',
        ],
      },
      {
        title: 'No warranties',
        paragraphs: [
          'Keyturn gives no warranty of any kind about the vehicle: not about its condition, history, mileage, safety, title or value, nor that it is fit for a particular purpose. What Keyturn shows about the vehicle comes from the seller and from public data, and may be incomplete or wrong.',
          'Whatever the seller has promised the buyer about the vehicle stands between the two of them alone.',
        ],
      },
      {
        title: 'Independent due diligence',
        paragraphs: [
          'The buyer has had, or will take, the opportunity to inspect and test-drive the vehicle, to have it examined by a mechanic of their choice, to check its history and its title, and to ask the seller every question that matters to them. The seller has satisfied themselves that they know the buyer and agree with the price. Each side decides on its own judgement and not on anything that Keyturn has said.',
        ],
      },
      {
        title: 'Release and hold harmless',
        paragraphs: [
          'The seller and the buyer release Keyturn, its owners, employees and partners from every claim, known or unknown, that arises from the vehicle, from this sale, or from a dispute between the two sides, and hold them harmless from it, as far as the law allows. This does not cover harm that Keyturn causes on purpose or by gross negligence.',
        ],
      },
      {
        title: 'Indemnification',
        paragraphs: [
          'If somebody makes a claim against Keyturn because of what the seller or the buyer said, did or failed to do in this sale, that side pays what the claim reasonably costs Keyturn, the cost of its defense included. Each side answers for itself only, not for the other.',
        ],
      },
    ],
  }
}

const owes = 'The seller still owes money on this car. The loan is paid off before the title passes.'
const owesNothing = 'The seller states that no money is owed on this car.'

const tradeLine = ({ year, make, model, vin, value }: Terms20261102['trades'][number]): string =>
  `${year} ${make} ${model}, VIN ${vin}, ${usd(value)}`

const leftLine = (left: number): string =>
  left < 0 ? `$0. The trade-in is worth ${usd(-left)} more than the price.` : usd(left)

/** 15 USC 7001(c) asks for these sentences before anybody signs electronically. */
const disclosure = [
  'By choosing I Agree you consent to sign electronically and to receive this agreement electronically.',
  'You may ask for a paper copy at no charge, and you may withdraw this consent before you sign by choosing Cancel; the sale then goes on outside of Keyturn.',
  'To read and keep the agreement you need a current web browser and a place to save or print a page. Keep your email address up to date under Profile.',
]

export const agreement20261102 = { write, disclosure }
